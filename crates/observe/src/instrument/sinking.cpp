// Values that are observed again behind a branch. In `c == 'a' || c == 'b'` the second comparison loads what the first has
// loaded: where it runs, its range takes the value for both, and the first is observed only where the second does not
// run. The table says which ranges belong to a site besides its own.
//
// Values are the same if they are computed in the same way from the same values, or loaded from the same address with nothing
// written between. Nothing lies between the places from which control need not come back, but for a crash.

#include "plan.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

#include <map>
#include <memory>
#include <set>

using namespace llvm;

namespace faultline {
namespace {

using Key = std::vector<uintptr_t>;

// What is known at the end of a block, and so at the beginning of one that comes only from there.
struct Known {
  std::map<Key, unsigned> numbers;
  DenseMap<const Value *, unsigned> loaded;
  // How often memory may have changed.
  unsigned writes = 0;
  // The nodes behind which control went on, by what they observe.
  std::map<std::tuple<unsigned, Order, unsigned>, unsigned> open;
};

class Sinking {
public:
  explicit Sinking(Routine &routine) : routine(routine) {}

  void run() {
    std::vector<std::unique_ptr<Known>> ends(routine.segments.size());
    for (unsigned index = 0; index < routine.segments.size(); ++index) {
      const Segment &segment = routine.segments[index];
      BasicBlock *before = segment.block->getUniquePredecessor();
      auto found = before ? routine.segment_of.find(before) : routine.segment_of.end();
      bool follows = found != routine.segment_of.end() && found->second < index && goes_on(*before, *ends[found->second]);
      now = follows ? std::make_unique<Known>(*ends[found->second]) : std::make_unique<Known>();
      above = std::move(now->open);
      now->open.clear();
      walk(segment);
      ends[index] = std::move(now);
    }
  }

private:
  // More is not worth the time that copies of it take.
  static constexpr unsigned MOST = 100, DEEPEST = 8;
  enum Sort : uintptr_t { ITSELF, COMPUTED, LOADED };

  Routine &routine;
  std::unique_ptr<Known> now;
  // What the block before has left open, until control may end.
  std::map<std::tuple<unsigned, Order, unsigned>, unsigned> above;

  // Two ways, so that there is one edge to each block.
  static bool goes_on(const BasicBlock &before, const Known &known) {
    auto *branch = dyn_cast<BranchInst>(before.getTerminator());
    return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) &&
           known.numbers.size() <= MOST;
  }

  void walk(const Segment &segment) {
    for (unsigned index = segment.first_node; index < segment.end_node && routine.nodes[index].argument; ++index)
      observe(index, routine.nodes[index].argument);
    for (Instruction &instruction : *segment.block) {
      auto found = routine.node_of.find(&instruction);
      unsigned index = found == routine.node_of.end() ? routine.nodes.size() : found->second;
      if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        observe(index, store->getValueOperand());
        number_store(*store);
      } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        number_load(*load);
        observe(index, load);
      } else {
        if (auto *result = dyn_cast<ReturnInst>(&instruction))
          observe(index, result->getReturnValue());
        else if (!isGuaranteedToTransferExecutionToSuccessor(&instruction))
          close();
        now->writes += instruction.mayWriteToMemory();
      }
    }
  }

  void close() {
    now->open.clear();
    above.clear();
  }

  void observe(unsigned index, const Value *value) {
    if (index >= routine.nodes.size())
      return;
    Node &node = routine.nodes[index];
    if (!node.range || node.shares_range || node.follows)
      return;
    auto key = std::make_tuple(number(node.field ? node.field : value, 0), node.order, node.bits);
    auto before = above.find(key);
    if (before != above.end()) {
      BasicBlock *block = node.instruction->getParent();
      Node &first = routine.nodes[before->second];
      first.heirs.push_back(block);
      first.sources.push_back({*node.range});
      first.end = cast<BranchInst>(block->getUniquePredecessor()->getTerminator());
      above.erase(before);
    }
    now->open.try_emplace(key, index);
  }

  unsigned fresh(Key key) { return now->numbers.try_emplace(std::move(key), now->numbers.size()).first->second; }

  unsigned number(const Value *value, unsigned depth) {
    while (auto *same = dyn_cast<FreezeInst>(value))
      value = same->getOperand(0);
    auto found = now->loaded.find(value);
    if (found != now->loaded.end())
      return found->second;
    auto *step = dyn_cast<GetElementPtrInst>(value);
    if (depth < DEEPEST && (step || isa<CastInst>(value) || isa<BinaryOperator>(value))) {
      auto *instruction = cast<Instruction>(value);
      Key key{COMPUTED, instruction->getOpcode(), uintptr_t(instruction->getType()),
              uintptr_t(step ? step->getSourceElementType() : nullptr)};
      for (const Value *operand : instruction->operands())
        key.push_back(number(operand, depth + 1));
      return fresh(std::move(key));
    }
    return fresh({ITSELF, uintptr_t(value)});
  }

  Key content(unsigned address, Type *type) { return {LOADED, address, uintptr_t(type), now->writes}; }

  void number_load(LoadInst &load) {
    unsigned address = number(load.getPointerOperand(), 0);
    now->loaded[&load] = load.isSimple() ? fresh(content(address, load.getType())) : fresh({ITSELF, uintptr_t(&load)});
  }

  void number_store(StoreInst &store) {
    ++now->writes;
    unsigned address = number(store.getPointerOperand(), 0);
    Type *type = store.getValueOperand()->getType();
    if (store.isSimple())
      now->numbers[content(address, type)] = number(store.getValueOperand(), 0);
  }
};

} // namespace

void sink(Routine &routine) { Sinking(routine).run(); }

} // namespace faultline
