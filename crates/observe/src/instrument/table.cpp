// Writes the plan as the table of a unit, which travels in a section of the binary. `recording/table.rs` reads it and
// has the grammar. All numbers are LEB128 unless said otherwise.

#include "plan.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace llvm;

namespace faultline {
namespace {

constexpr char MAGIC[] = "FLUNIT11";

uint64_t zigzag(int64_t number) { return (uint64_t(number) << 1) ^ uint64_t(number >> 63); }

class Writer {
public:
  std::string write(const Module &module, const Plan &plan, const std::vector<Region> &regions) {
    body << "";
    number(string(module.getSourceFileName()));
    number(plan.counters);
    number(plan.ranges);
    number(plan.inner);
    number(plan.segments);
    number(plan.globals.size());
    number(plan.routines.size());
    for (const Routine &routine : plan.routines)
      write_routine(routine);
    number(regions.size());
    for (const Region &region : regions)
      write_region(region);
    return finish();
  }

private:
  std::string bytes;
  raw_string_ostream body{bytes};
  std::vector<std::string> strings;
  std::map<std::string, unsigned> string_numbers;
  DenseMap<const DIFile *, unsigned> files;
  unsigned file = 0;
  int64_t line = 0;

  void number(uint64_t value) { encodeULEB128(value, body); }

  unsigned string(StringRef text) {
    auto [entry, added] = string_numbers.try_emplace(text.str(), strings.size());
    if (added)
      strings.push_back(text.str());
    return entry->second;
  }

  unsigned file_of(const DIFile *file) {
    auto [entry, added] = files.try_emplace(file, 0);
    if (added) {
      SmallString<256> path;
      if (!sys::path::is_absolute(file->getFilename()))
        path = file->getDirectory();
      sys::path::append(path, file->getFilename());
      sys::path::remove_dots(path, true);
      entry->second = string(path);
    }
    return entry->second;
  }

  void reference(const Routine &routine, unsigned from, const Value *value) { exactly(routine, from, stream_of(value)); }

  void exactly(const Routine &routine, unsigned from, const Value *value) {
    auto found = routine.node_of.find(value);
    if (found == routine.node_of.end())
      number(0);
    else
      number(zigzag(int64_t(from) - int64_t(found->second)) + 1);
  }

  void write_routine(const Routine &routine) {
    const DISubprogram &subprogram = *routine.function->getSubprogram();
    number(string(subprogram.getName()));
    number(string(routine.function->getName()));
    file = file_of(subprogram.getFile());
    line = subprogram.getLine();
    number(file);
    number(line);
    number(routine.function->arg_size() << 1 | unsigned(routine.is_library));
    for (const Argument &argument : routine.function->args())
      number(string(argument.getName()));
    number(routine.segments.size());
    for (const Segment &segment : routine.segments)
      write_segment(routine, segment);
  }

  void write_region(const Region &region) {
    number(region.size());
    for (unsigned index = 0; index < region.size(); ++index) {
      number(region[index].segments.size());
      for (unsigned segment : region[index].segments)
        number(segment);
      number(region[index].from.size());
      for (unsigned before : region[index].from)
        number(index - before);
      number(region[index].words.size());
      for (const Word &word : region[index].words)
        write_word(word);
    }
  }

  void write_word(const Word &word) {
    if (word.from == Word::From::Constant)
      number(3);
    else if (word.key)
      number((word.from == Word::From::Key ? 2 : 1) | *word.key << 2);
    else
      return number(0);
    number(zigzag(word.constant));
  }

  void write_segment(const Routine &routine, const Segment &segment) {
    const Instruction *end = segment.block->getTerminator();
    const Instruction *last = end->getPrevNode();
    auto *call = isa<InvokeInst>(end) ? cast<CallBase>(end) : dyn_cast_or_null<CallInst>(last);
    bool calls = call && !isa<IntrinsicInst>(call) && !call->isInlineAsm();
    number(unsigned(segment.continues) | unsigned(calls) << 1 | unsigned(segment.counted) << 2);
    number(segment.counter);
    number(end->getNumSuccessors());
    for (unsigned way = 0; way < end->getNumSuccessors(); ++way) {
      auto counted = segment.ways.find(way);
      number(routine.segment_of.lookup(end->getSuccessor(way)) << 1 | unsigned(counted != segment.ways.end()));
      if (counted != segment.ways.end())
        number(counted->second);
    }
    number(segment.end_node - segment.first_node);
    for (unsigned index = segment.first_node; index < segment.end_node; ++index)
      write_node(routine, index);
  }

  void write_node(const Routine &routine, unsigned index) {
    const Node &node = routine.nodes[index];
    unsigned own_file = file;
    int64_t own_line = 0;
    unsigned column = 0;
    if (node.argument) {
      own_line = routine.function->getSubprogram()->getLine();
    } else if (node.kind == Kind::Phi) {
      // Has the place of an assignment, but not of the one that counts.
    } else if (const DILocation *place = node.instruction->getDebugLoc()) {
      own_file = file_of(place->getFile());
      own_line = place->getLine();
      column = place->getColumn();
    }
    bool elsewhere = own_file != file;
    bool shares = node.range && node.shares_range;
    number(unsigned(node.kind) | unsigned(node.range.has_value()) << 4 | unsigned(elsewhere) << 5 | unsigned(shares) << 6 |
           unsigned(node.inner.has_value()) << 7 | unsigned(!node.sources.empty()) << 8);
    number(zigzag(own_line - line));
    line = own_line;
    number(column);
    if (elsewhere)
      number(own_file);
    file = own_file;
    if (node.range || node.inner)
      number(unsigned(node.order) | node.bits << 2);
    if (shares)
      number(*node.range);
    if (!node.sources.empty()) {
      number(node.sources.size());
      for (const Source &source : node.sources) {
        number(source.range);
        number(zigzag(source.more));
      }
    }
    write_operands(routine, index, node);
  }

  void write_operands(const Routine &routine, unsigned index, const Node &node) {
    switch (node.kind) {
    case Kind::Argument:
      return;
    case Kind::Load:
      write_place(index, node.accesses[0]);
      return reference(routine, index, node.accesses[0].address);
    case Kind::Store:
      write_place(index, node.accesses[0]);
      reference(routine, index, cast<StoreInst>(node.instruction)->getValueOperand());
      return reference(routine, index, node.accesses[0].address);
    case Kind::Effect:
      exactly(routine, index, node.call);
      return write_accesses(node);
    case Kind::Call:
      return write_call(routine, index, node);
    case Kind::Phi: {
      auto *phi = cast<PHINode>(node.instruction);
      number(phi->getNumIncomingValues());
      for (unsigned way = 0; way < phi->getNumIncomingValues(); ++way) {
        number(routine.segment_of.lookup(phi->getIncomingBlock(way)));
        reference(routine, index, phi->getIncomingValue(way));
      }
      return;
    }
    case Kind::Switch:
      write_cases(*cast<SwitchInst>(node.instruction));
      break;
    case Kind::Branch:
    case Kind::Pure:
    case Kind::Return:
    case Kind::Alloca:
      break;
    }
    SmallVector<const Value *, 4> known;
    for (const Value *operand : node.instruction->operands())
      if (routine.node_of.count(operand))
        known.push_back(operand);
    number(known.size());
    for (const Value *operand : known)
      reference(routine, index, operand);
  }

  // In the order of successors, the first of which is that of all other values. Addresses, as those of labels are, have none.
  void write_cases(const SwitchInst &it) {
    bool named = !isa<PtrToIntInst>(it.getCondition());
    number(named ? it.getNumCases() : 0);
    for (auto one : it.cases())
      if (named)
        number(zigzag(one.getCaseValue()->getValue().sextOrTrunc(64).getSExtValue()));
  }

  void write_place(unsigned index, const Access &access) {
    number(access.fixed << 2 | unsigned(access.place));
    if (access.place == Place::Own)
      return;
    number(access.place == Place::Shared ? index - access.leader : access.leader);
    number(zigzag(access.offset));
  }

  void write_call(const Routine &routine, unsigned index, const Node &node) {
    auto *call = dyn_cast<CallBase>(node.instruction);
    if (!call) {
      // An atomic operation.
      number(0);
      number(node.instruction->getNumOperands());
      for (const Value *operand : node.instruction->operands())
        reference(routine, index, operand);
      number(0);
      return write_accesses(node);
    }
    StringRef name;
    if (const Function *callee = call->getCalledFunction())
      name = isa<MemSetInst>(call) ? "memset" : isa<MemMoveInst>(call) ? "memmove" : isa<MemCpyInst>(call) ? "memcpy" : callee->getName();
    number(name.empty() ? 0 : string(name) + 1);
    number(call->arg_size());
    for (const Value *argument : call->args())
      reference(routine, index, argument);
    reference(routine, index, call->getCalledOperand());
    write_accesses(node);
  }

  void write_accesses(const Node &node) {
    number(node.accesses.size());
    for (const Access &access : node.accesses)
      number(unsigned(access.write) | unsigned(access.copy) << 1 | unsigned(access.print) << 2 | unsigned(access.is_positioned) << 3);
  }

  // Magic, length of it all and hash, 8 bytes each; the strings; the rest.
  std::string finish() {
    body.flush();
    std::string content;
    raw_string_ostream out(content);
    encodeULEB128(strings.size(), out);
    for (const std::string &text : strings) {
      encodeULEB128(text.size(), out);
      out << text;
    }
    out << bytes;
    out.flush();
    uint64_t hash = xxh3_64bits(StringRef(content));
    content.resize((content.size() + 7) / 8 * 8, '\0');
    uint64_t length = content.size() + 24;
    std::string table(MAGIC, 8);
    table.append(reinterpret_cast<const char *>(&length), 8);
    table.append(reinterpret_cast<const char *>(&hash), 8);
    return table + content;
  }
};

} // namespace

std::string write_table(const Module &module, const Plan &plan, const std::vector<Region> &regions) {
  return Writer().write(module, plan, regions);
}

} // namespace faultline
