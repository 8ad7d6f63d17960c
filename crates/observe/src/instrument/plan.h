// What the pass decides before it changes anything: which functions it takes, their segments and nodes, and the
// numbers of counters and ranges. Hooks are inserted and the table is written by the same plan.
//
// A segment is a basic block, or a part of one that ends behind a call: in a trace, nothing comes between the words of
// a segment but what a signal handler does.

#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline {

enum class Kind : uint8_t { Pure, Load, Store, Return, Argument, Branch, Call, Phi, Alloca, Effect, Switch };

// How values of a site are ordered and shown.
enum class Order : uint8_t { Signed, Unsigned, Float, Pointer };

// Where the address of a load or a store is found: in a word of its own, in that of another one of the segment, or among
// the addresses of globals.
enum class Place : uint8_t { Own, Shared, Global };

// Memory that a node touches: for loads and stores at most one word (the address), for others two (address and length).
struct Access {
  bool write = false;
  // Byte i of this write is byte i of the node's last read.
  bool copy = false;
  llvm::Value *address = nullptr;
  // The length in bytes: fixed, or a value.
  uint64_t fixed = 0;
  llvm::Value *length = nullptr;
  // Times this, if there is one.
  llvm::Value *factor = nullptr;
  // The length is that of the string at the address, with its end, and at most `length` if there is one.
  bool string = false;
  // The characters of the `std::string` that is at the address.
  bool is_in_string = false;
  // Nothing if the address is that of `std::cout`.
  bool is_stream = false;
  // No memory, but bytes that a call has printed: the first word is 1 if they went to standard output, 2 if elsewhere, by
  // `stream`, a file or a descriptor; null is standard output.
  bool print = false;
  llvm::Value *stream = nullptr;
  // The stream is one of C++'s: the first word tells where in standard output it was before the call, and the length follows from
  // where it is behind it.
  bool is_positioned = false;
  Place place = Place::Own;
  // The node that has the word, or the number of the global; and how far from there, in bytes.
  unsigned leader = 0;
  int64_t offset = 0;
};

// A range with values of another one, larger by a number.
struct Source {
  unsigned range = 0;
  int64_t more = 0;
};

struct Node {
  Kind kind = Kind::Pure;
  // Null for arguments.
  llvm::Instruction *instruction = nullptr;
  llvm::Argument *argument = nullptr;
  // For effects: the call whose consequences are known only after it.
  llvm::CallBase *call = nullptr;
  std::vector<Access> accesses;
  // Values are observed here. The number of the range, which a node before it in the segment updates if it has the same
  // values.
  bool observed = false;
  std::optional<unsigned> range;
  bool shares_range = false;
  // Ranges whose values are this node's, too.
  std::vector<Source> sources;
  // Nothing is observed for it: its values are those of its sources, or it is a pointer that is used at once.
  bool follows = false;
  // Blocks right behind the branch that ends this one in which the same value is observed again. Only on other ways it is observed
  // for itself.
  std::vector<llvm::BasicBlock *> heirs;
  llvm::BranchInst *end = nullptr;
  // For arguments: the calls before which they are observed, rather than in the function.
  std::vector<llvm::CallBase *> calls;
  // The bit-field that is accessed: what is observed of it, instead of all that lies beside it, too. A constant is not observed.
  llvm::Value *field = nullptr;
  // Inside of a large expression: the number of the range in the body that observes it.
  std::optional<unsigned> inner;
  Order order = Order::Signed;
  unsigned bits = 0;
};

struct Segment {
  llvm::BasicBlock *block = nullptr;
  // Goes on behind the call that ends the segment before.
  bool continues = false;
  // The counter of the block that it belongs to.
  unsigned counter = 0;
  // Where its block is counted: where it begins, on all ways out of it, or on all ways to it.
  enum class Counted : uint8_t { Itself, Behind, Before } counted = Counted::Itself;
  // Counters of ways out of it, by the numbers of its successors.
  llvm::SmallDenseMap<unsigned, unsigned, 2> ways;
  // The segment's number in the unit.
  unsigned number = 0;
  unsigned first_node = 0, end_node = 0;
  // Words in the trace, the first names the segment.
  unsigned words = 1;
};

// What a call hands to an argument: nothing is known of it, its range follows from another one, or it is a pointer that is never
// null.
struct Handed {
  enum class Known : uint8_t { Nothing, Source, NeverNull } known = Known::Nothing;
  Source source;
};

struct Routine {
  llvm::Function *function = nullptr;
  // Nothing is counted and no values are observed in it: it is not the user's, but a slice may lead through it.
  bool is_library = false;
  std::vector<Segment> segments;
  std::vector<Node> nodes;
  llvm::DenseMap<const llvm::Value *, unsigned> node_of;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> segment_of;
  // By calls to functions of the unit that only it calls.
  llvm::DenseMap<const llvm::CallBase *, std::vector<Handed>> handed;
};

// How a word of a record is found: it is written, or it follows from one that is written before it in every run: the last one
// with the same key, but for a constant; or it is a constant.
struct Word {
  enum class From : uint8_t { Itself, Key, Constant } from = From::Itself;
  // None for those that no other follows from.
  std::optional<unsigned> key;
  int64_t constant = 0;
};

// Code that one record can tell: parts of a traced function, the first of which is its only way in, and none of which
// comes twice in a run of it.
struct Part {
  // Segments of the unit in the order in which they run.
  std::vector<unsigned> segments;
  // The parts before this one that control can come from. None for the first.
  std::vector<unsigned> from;
  // All words of its segments.
  std::vector<Word> words;
};
using Region = std::vector<Part>;

struct Plan {
  std::vector<Routine> routines;
  unsigned counters = 0;
  unsigned ranges = 0;
  // Ranges inside of expressions.
  unsigned inner = 0;
  unsigned segments = 0;
  // Variables that are accessed where they are, not through a pointer.
  std::vector<llvm::GlobalVariable *> globals;
  llvm::DenseMap<const llvm::GlobalVariable *, unsigned> global_numbers;
};

// prepare.cpp: brings a module into the form that is planned for, and says which functions are observed.
std::vector<llvm::Function *> prepare(llvm::Module &module);
// Whether a function is in a header of the system, as templates of C++'s library are.
bool is_of_library(const llvm::Function &function);
// cleanups.cpp: no branches but those of the program where scopes end. After variables are in registers.
void divide_cleanups(llvm::Function &function);
// conditions.cpp: no branches where parts of a condition meet. After variables are in registers.
void divide_conditions(llvm::Function &function);
// plan.cpp
Plan make_plan(llvm::Module &module, const std::vector<llvm::Function *> &functions);
// False if there is no order of such values.
bool set_type(Node &node, const llvm::Value *value);
inline bool is_never_null(const llvm::Value *value) {
  return llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::GetElementPtrInst>(value) || llvm::isa<llvm::GlobalVariable>(value);
}
// words.cpp: which accesses need a word and which values a range.
void share(Plan &plan, Routine &routine, const Segment &segment);
// fields.cpp: the value of the bit-field that a load or a store is about; null if it is about no bit-field, or reads what lies
// beside the one that is written next.
struct Field {
  bool is_one = false;
  llvm::Value *value = nullptr;
};
Field field_of(llvm::Instruction &access);
// callers.cpp: which arguments are observed where they are handed over. When all is planned.
bool is_called_here_only(const llvm::Function &function);
void ask_callers(Plan &plan);
// flow.cpp: where blocks are counted.
void choose_counters(Plan &plan, Routine &routine);
// sinking.cpp: which values are observed behind a branch rather than before it.
void sink(Routine &routine);
// inner.cpp: the nodes inside of large expressions whose values are observed in a second round.
std::vector<unsigned> inside_expressions(Routine &routine);
// library.cpp: what a call to a known library function reads and writes, before it and after it. What C++'s streams print is told of
// the calls in the user's code.
void library_accesses(llvm::CallBase &call, bool is_users, std::vector<Access> &before, std::vector<Access> &after);
// strings.cpp: the same of a function of C++'s strings and streams, by its name.
std::string string_model(llvm::StringRef name);
// The stream that a call of `<<` or `>>` gives back, which is its first argument; otherwise the value itself.
const llvm::Value *stream_of(const llvm::Value *value);
// table.cpp: the plan as the bytes that `recording` reads.
std::string write_table(const llvm::Module &module, const Plan &plan, const std::vector<Region> &regions);
// aliasing.cpp: tells the optimizer that nothing in the program touches what hooks do; the mark of their accesses.
llvm::MDNode *keep_apart(llvm::Module &module);
// hooks.cpp: hooks and the table.
void insert_hooks(llvm::Module &module, const Plan &plan);

} // namespace faultline
