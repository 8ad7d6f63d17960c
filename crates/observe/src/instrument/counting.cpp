// Counters of blocks and of ways between them, where the plan wants some. Each is in memory at once.
//
// In a small loop that calls nothing, a counter is also in a register, and is only written: the next turn need not
// wait until it can be read again. Threads that are in the same loop at once then count as one.

#include "emit.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace faultline {
namespace {

// More would not stay in registers.
constexpr unsigned MOST_IN_REGISTERS = 3;

// A place where a counter grows.
struct Growth {
  unsigned counter;
  Instruction *at;
};

class Counting {
public:
  Counting(Emit &emit, const Routine &routine) : emit(emit), growths(find(routine)), tree(*routine.function), loops(tree) {}

  void run() {
    DenseMap<Loop *, std::vector<Growth>> inside;
    for (const Growth &growth : growths)
      inside[loops.getLoopFor(growth.at->getParent())].push_back(growth);
    for (const Growth &growth : growths) {
      Loop *loop = loops.getLoopFor(growth.at->getParent());
      if (loop && inside[loop].size() <= MOST_IN_REGISTERS && is_simple(*loop))
        keep(*loop, growth);
      else
        increment(emit, growth.counter, growth.at);
    }
  }

private:
  Emit &emit;
  std::vector<Growth> growths;
  DominatorTree tree;
  LoopInfo loops;

  // Before loops are looked for, since it puts blocks on ways.
  static std::vector<Growth> find(const Routine &routine) {
    std::vector<Growth> growths;
    for (const Segment &segment : routine.segments) {
      if (!segment.continues && segment.counted == Segment::Counted::Itself)
        growths.push_back({segment.counter, Emit::start(*segment.block)});
      // In their order, or names of blocks would differ from time to time.
      for (unsigned way = 0; way < segment.block->getTerminator()->getNumSuccessors(); ++way)
        if (auto found = segment.ways.find(way); found != segment.ways.end())
          growths.push_back({found->second, on_way(*segment.block->getTerminator(), way)});
    }
    return growths;
  }

  // Nothing else runs while it does, and counters can be read before it.
  static bool is_simple(const Loop &loop) {
    if (!loop.isInnermost())
      return false;
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : *block)
        if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
          return false;
    return all_of(predecessors(loop.getHeader()), [&](const BasicBlock *before) {
      const Instruction *end = before->getTerminator();
      return loop.contains(before) || isa<BranchInst>(end) || isa<SwitchInst>(end);
    });
  }

  void keep(const Loop &loop, const Growth &growth) {
    Constant *address = emit.element(emit.counters, growth.counter);
    SSAUpdater values;
    values.Initialize(emit.word, "count");
    for (BasicBlock *before : predecessors(loop.getHeader()))
      if (!loop.contains(before) && !values.HasValueForBlock(before)) {
        IRBuilder<> builder(before->getTerminator());
        LoadInst *first = emit.load(builder, emit.word, address);
        first->setVolatile(true);
        values.AddAvailableValue(before, first);
      }
    IRBuilder<> builder(growth.at);
    Value *one = emit.number(1);
    auto *sum = BinaryOperator::CreateAdd(one, one, "", growth.at->getIterator());
    emit.store(builder, sum, address)->setVolatile(true);
    values.AddAvailableValue(sum->getParent(), sum);
    sum->setOperand(0, values.GetValueInMiddleOfBlock(sum->getParent()));
  }
};

} // namespace

Instruction *on_way(Instruction &end, unsigned way) {
  return SplitCriticalEdge(&end, way, CriticalEdgeSplittingOptions().setMergeIdenticalEdges())->getTerminator();
}

// Volatile, or it would be written only behind loops that may crash.
void increment(Emit &emit, unsigned counter, Instruction *at) {
  IRBuilder<> builder(at);
  Constant *address = emit.element(emit.counters, counter);
  LoadInst *old = emit.load(builder, emit.word, address);
  old->setVolatile(true);
  emit.store(builder, builder.CreateAdd(old, emit.number(1)), address)->setVolatile(true);
}

void count(Emit &emit, const Routine &routine) { Counting(emit, routine).run(); }

} // namespace faultline
