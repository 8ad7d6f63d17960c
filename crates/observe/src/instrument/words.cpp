// Which words a trace needs, and which ranges a segment. An address that is a fixed distance from one that the segment has
// already written needs none, nor does one that is known when the program is loaded.
//
// Two addresses are a fixed distance apart if they are the same sum but for a constant, of values that are the same:
// computed in the same way from the same values, or loaded from the same address with nothing written between. Threads
// that race can make the second untrue. What is the same value in this sense has one range.

#include "plan.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace faultline {
namespace {

using Key = std::vector<uintptr_t>;

// An address as a sum: what varies, and a constant.
struct Sum {
  Key key;
  int64_t constant = 0;
  GlobalVariable *global = nullptr;
};

const Value *thawed(const Value *value) {
  while (auto *same = dyn_cast<FreezeInst>(value))
    value = same->getOperand(0);
  return value;
}

class Sharing {
public:
  Sharing(Plan &plan, Routine &routine, const Segment &segment)
      : plan(plan), routine(routine), segment(segment), layout(segment.block->getModule()->getDataLayout()) {}

  void run() {
    for (unsigned index = segment.first_node; index < segment.end_node && routine.nodes[index].argument; ++index)
      range(routine.nodes[index], routine.nodes[index].argument);
    for (Instruction &instruction : *segment.block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (load)
        number_load(*load, place(instruction, load->getPointerOperand()));
      else if (store)
        number_store(*store, place(instruction, store->getPointerOperand()));
      else if (instruction.mayWriteToMemory())
        ++writes;
      auto found = routine.node_of.find(&instruction);
      if (found != routine.node_of.end())
        range(routine.nodes[found->second], value_of(instruction));
    }
  }

private:
  static constexpr unsigned DEEPEST = 8;
  enum Sort : uintptr_t { ITSELF, COMPUTED, LOADED, SUM };

  Plan &plan;
  Routine &routine;
  const Segment &segment;
  const DataLayout &layout;
  std::map<Key, unsigned> numbers;
  DenseMap<const Value *, unsigned> loaded;
  std::map<Key, std::pair<unsigned, int64_t>> leaders;
  std::map<std::tuple<unsigned, Order, unsigned>, unsigned> ranges;
  // How often memory may have changed.
  unsigned writes = 0;

  static Value *value_of(Instruction &instruction) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return store->getValueOperand();
    if (auto *result = dyn_cast<ReturnInst>(&instruction))
      return result->getReturnValue();
    return &instruction;
  }

  void range(Node &node, const Value *value) {
    if (!node.observed)
      return;
    auto key = std::make_tuple(number(value, 0), node.order, node.bits);
    auto [entry, is_new] = ranges.try_emplace(key, plan.ranges);
    node.range = entry->second;
    node.shares_range = !is_new;
    plan.ranges += is_new;
  }

  unsigned fresh(Key key) { return numbers.try_emplace(std::move(key), numbers.size()).first->second; }

  // Equal numbers, equal values, in one run of the segment.
  unsigned number(const Value *value, unsigned depth) {
    value = thawed(value);
    auto found = loaded.find(value);
    if (found != loaded.end())
      return found->second;
    if (depth < DEEPEST && (isa<CastInst>(value) || isa<BinaryOperator>(value))) {
      auto *instruction = cast<Instruction>(value);
      Key key{COMPUTED, instruction->getOpcode(), uintptr_t(instruction->getType())};
      for (const Value *operand : instruction->operands())
        key.push_back(number(operand, depth + 1));
      return fresh(std::move(key));
    }
    if (depth < DEEPEST && isa<GEPOperator>(value) && !value->getType()->isVectorTy()) {
      Sum sum = decompose(const_cast<Value *>(value), depth + 1);
      sum.key.push_back(uintptr_t(sum.constant));
      return fresh(std::move(sum.key));
    }
    return fresh({ITSELF, uintptr_t(value)});
  }

  Sum decompose(Value *address, unsigned depth) {
    MapVector<Value *, APInt> variables;
    APInt constant(64, 0);
    Sum sum;
    address = const_cast<Value *>(thawed(address));
    while (auto *step = dyn_cast<GEPOperator>(address)) {
      if (step->getType()->isVectorTy() || !step->collectOffset(layout, 64, variables, constant))
        break;
      address = const_cast<Value *>(thawed(step->getPointerOperand()));
    }
    sum.constant = constant.getSExtValue();
    std::map<unsigned, uint64_t> factors;
    for (auto &[variable, factor] : variables)
      add_variable(variable, factor.getZExtValue(), depth, sum.constant, factors);
    sum.key = {SUM, number_base(address, depth)};
    for (auto [variable, factor] : factors)
      sum.key.insert(sum.key.end(), {variable, uintptr_t(factor)});
    auto *global = dyn_cast<GlobalVariable>(address);
    if (global && factors.empty() && !global->isThreadLocal() && !(global->hasLocalLinkage() && global->hasComdat()))
      sum.global = global;
    return sum;
  }

  unsigned number_base(Value *base, unsigned depth) {
    return isa<GEPOperator>(base) ? fresh({ITSELF, uintptr_t(base)}) : number(base, depth);
  }

  // `i + 1` is `i` and a constant. What overflows is undefined, and may lie elsewhere.
  void add_variable(const Value *variable, uint64_t factor, unsigned depth, int64_t &constant, std::map<unsigned, uint64_t> &factors) {
    variable = thawed(variable);
    auto *wider = dyn_cast<SExtInst>(variable);
    auto *inner = wider ? dyn_cast<BinaryOperator>(thawed(wider->getOperand(0))) : dyn_cast<BinaryOperator>(variable);
    bool exact = inner && (!wider || inner->hasNoSignedWrap()) && inner->getType()->getIntegerBitWidth() <= 64 &&
                 (wider || inner->getType()->getIntegerBitWidth() == 64);
    auto *number_in = exact ? dyn_cast<ConstantInt>(inner->getOperand(1)) : nullptr;
    unsigned opcode = number_in ? inner->getOpcode() : 0;
    if (number_in && (opcode == Instruction::Add || opcode == Instruction::Sub)) {
      uint64_t more = factor * uint64_t(number_in->getSExtValue());
      constant = int64_t(opcode == Instruction::Add ? uint64_t(constant) + more : uint64_t(constant) - more);
      unsigned rest = number(inner->getOperand(0), depth);
      if (wider)
        rest = fresh({COMPUTED, Instruction::SExt, uintptr_t(wider->getType()), rest});
      factors[rest] += factor;
    } else {
      factors[number(variable, depth)] += factor;
    }
  }

  // Says where the address is found, and the key of the address.
  Key place(Instruction &instruction, Value *address) {
    unsigned index = routine.node_of[&instruction];
    Access &access = routine.nodes[index].accesses[0];
    Sum sum = decompose(address, 0);
    if (sum.global) {
      access.place = Place::Global;
      access.leader = global_number(sum.global);
      access.offset = sum.constant;
    } else {
      auto [leader, is_new] = leaders.try_emplace(sum.key, index, sum.constant);
      if (!is_new) {
        access.place = Place::Shared;
        access.leader = leader->second.first;
        access.offset = int64_t(uint64_t(sum.constant) - uint64_t(leader->second.second));
      }
    }
    sum.key.push_back(uintptr_t(sum.constant));
    return std::move(sum.key);
  }

  unsigned global_number(GlobalVariable *global) {
    auto [entry, is_new] = plan.global_numbers.try_emplace(global, plan.globals.size());
    if (is_new)
      plan.globals.push_back(global);
    return entry->second;
  }

  Key content(Key address, Type *type) {
    address.insert(address.end(), {uintptr_t(type), writes, LOADED});
    return address;
  }

  void number_load(LoadInst &load, Key address) {
    loaded[&load] = load.isSimple() ? fresh(content(std::move(address), load.getType())) : fresh({ITSELF, uintptr_t(&load)});
  }

  void number_store(StoreInst &store, Key address) {
    ++writes;
    if (store.isSimple())
      numbers[content(std::move(address), store.getValueOperand()->getType())] = number(store.getValueOperand(), 0);
  }
};

} // namespace

void share(Plan &plan, Routine &routine, const Segment &segment) { Sharing(plan, routine, segment).run(); }

} // namespace faultline
