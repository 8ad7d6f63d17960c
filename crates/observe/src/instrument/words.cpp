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
#include <set>
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
      else if (auto *call = dyn_cast<CallBase>(&instruction))
        hand_over(*call);
      if (!load && !store && instruction.mayWriteToMemory())
        ++writes;
      auto found = routine.node_of.find(&instruction);
      if (found != routine.node_of.end())
        range(routine.nodes[found->second], value_of(routine.nodes[found->second]));
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
  // Pointers, by their numbers: those with a range, and those through which memory was accessed.
  std::map<unsigned, unsigned> pointers;
  std::set<unsigned> used;
  // How often memory may have changed.
  unsigned writes = 0;

  static Value *value_of(const Node &node) {
    if (node.field)
      return node.field;
    if (auto *store = dyn_cast<StoreInst>(node.instruction))
      return store->getValueOperand();
    if (auto *result = dyn_cast<ReturnInst>(node.instruction))
      return result->getReturnValue();
    return node.instruction;
  }

  void range(Node &node, const Value *value) {
    if (!node.observed)
      return;
    unsigned value_number = number(value, 0);
    auto [entry, is_new] = ranges.try_emplace(std::make_tuple(value_number, node.order, node.bits), plan.ranges);
    node.range = entry->second;
    node.shares_range = !is_new;
    plan.ranges += is_new;
    if (!is_new)
      return;
    if (node.order == Order::Pointer) {
      node.follows = used.count(value_number);
      pointers.try_emplace(value_number, &node - routine.nodes.data());
    } else if (auto source = value->getType()->isIntegerTy() ? follow(value, node.order, node.bits) : std::nullopt) {
      node.sources.push_back(*source);
      node.follows = true;
    }
  }

  // Integers are recorded as they are, but those of 64 bits without a sign, which are smaller by this.
  static int64_t shift(Order order, unsigned bits) { return order == Order::Unsigned && bits == 64 ? INT64_MIN : 0; }

  std::optional<unsigned> find(const Value *value, Order order, unsigned bits) {
    auto found = ranges.find(std::make_tuple(number(value, 0), order, bits));
    return found == ranges.end() ? std::nullopt : std::optional(found->second);
  }

  // The range in the segment that a value's own follows from: of what it is a sum of, and a constant. Who reads it knows what
  // has wrapped around, if it has the value's own type.
  std::optional<Source> follow(const Value *value, Order order, unsigned bits) {
    const Type *type = value->getType();
    int64_t more = shift(order, bits);
    for (unsigned depth = 0; depth < DEEPEST; ++depth) {
      value = thawed(value);
      if (isa<SExtInst>(value) && order == Order::Signed) {
        value = cast<SExtInst>(value)->getOperand(0);
      } else if (isa<ZExtInst>(value)) {
        value = cast<ZExtInst>(value)->getOperand(0);
        order = Order::Unsigned;
      } else if (auto *sum = dyn_cast<BinaryOperator>(value)) {
        auto *constant = dyn_cast<ConstantInt>(sum->getOperand(1));
        bool is_sum = sum->getOpcode() == Instruction::Add || sum->getOpcode() == Instruction::Sub;
        if (!constant || !is_sum || (value->getType() != type && !(order == Order::Signed && sum->hasNoSignedWrap())))
          return std::nullopt;
        uint64_t by = constant->getSExtValue();
        more = sum->getOpcode() == Instruction::Add ? uint64_t(more) + by : uint64_t(more) - by;
        value = sum->getOperand(0);
      } else {
        return std::nullopt;
      }
      bits = value->getType()->getIntegerBitWidth();
      if (auto range = find(value, order, bits))
        return Source{*range, int64_t(uint64_t(more) - uint64_t(shift(order, bits)))};
    }
    return std::nullopt;
  }

  void hand_over(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || !is_called_here_only(*callee))
      return;
    std::vector<Handed> &all = routine.handed[&call];
    for (const Argument &argument : callee->args()) {
      Node node;
      bool has_order = set_type(node, &argument);
      all.push_back(has_order ? handed(call.getArgOperand(argument.getArgNo()), node.order, node.bits) : Handed());
    }
  }

  Handed handed(const Value *value, Order order, unsigned bits) {
    if (auto range = find(value, order, bits))
      return {Handed::Known::Source, {*range}};
    if (order == Order::Pointer && (is_never_null(value) || used.count(number(value, 0))))
      return {Handed::Known::NeverNull, {}};
    auto source = value->getType()->isIntegerTy() ? follow(value, order, bits) : std::nullopt;
    return source ? Handed{Handed::Known::Source, *source} : Handed();
  }

  // What is accessed through a pointer shows that it is not null, or nothing comes behind it.
  void use(const Value *address) {
    if (NullPointerIsDefined(routine.function))
      return;
    while (auto *step = dyn_cast<GEPOperator>(thawed(address))) {
      if (!step->isInBounds() || step->getType()->isVectorTy())
        return;
      address = step->getPointerOperand();
    }
    unsigned pointer = number(address, 0);
    used.insert(pointer);
    auto found = pointers.find(pointer);
    if (found != pointers.end())
      routine.nodes[found->second].follows = true;
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
    use(address);
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
