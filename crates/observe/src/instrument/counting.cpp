// Counters of blocks and branches. Each is in memory whenever something can fail, so that it is whole after a crash.
//
// In a small loop that calls nothing, a counter is also in a register, and is only written: the next turn need not
// wait until it can be read again. Threads that are in the same loop at once then count as one.

#include "emit.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
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
  // By one if this is null.
  Value *by;
};

class Counting {
public:
  Counting(Emit &emit, const Routine &routine) : emit(emit), routine(routine), tree(*routine.function), loops(tree) {}

  void run() {
    std::vector<Growth> growths = find();
    DenseMap<Loop *, std::vector<Growth>> inside;
    for (const Growth &growth : growths)
      inside[loops.getLoopFor(growth.at->getParent())].push_back(growth);
    for (const Growth &growth : growths) {
      Loop *loop = loops.getLoopFor(growth.at->getParent());
      if (loop && inside[loop].size() <= MOST_IN_REGISTERS && is_simple(*loop))
        keep(*loop, growth);
      else
        increment(growth);
    }
  }

private:
  Emit &emit;
  const Routine &routine;
  DominatorTree tree;
  LoopInfo loops;

  std::vector<Growth> find() {
    std::vector<Growth> growths;
    for (const Segment &segment : routine.segments) {
      if (!segment.continues && !segment.is_sum)
        growths.push_back({segment.counter, Emit::start(*segment.block), nullptr});
      for (unsigned index = segment.first_node; index < segment.end_node; ++index) {
        const Node &node = routine.nodes[index];
        if (node.kind == Kind::Branch && node.taken == Node::Taken::Counter)
          growths.push_back({node.counter, node.instruction, cast<BranchInst>(node.instruction)->getCondition()});
      }
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

  Value *by(IRBuilder<> &builder, const Growth &growth) {
    return growth.by ? builder.CreateZExt(growth.by, emit.word) : emit.number(1);
  }

  // Volatile, or it would be written only behind loops that may crash.
  void increment(const Growth &growth) {
    IRBuilder<> builder(growth.at);
    Constant *address = emit.element(emit.counters, growth.counter);
    LoadInst *old = emit.load(builder, emit.word, address);
    old->setVolatile(true);
    emit.store(builder, builder.CreateAdd(old, by(builder, growth)), address)->setVolatile(true);
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
    Value *more = by(builder, growth);
    auto *sum = BinaryOperator::CreateAdd(more, more, "", growth.at->getIterator());
    emit.store(builder, sum, address)->setVolatile(true);
    values.AddAvailableValue(sum->getParent(), sum);
    sum->setOperand(0, values.GetValueInMiddleOfBlock(sum->getParent()));
  }
};

} // namespace

void count(Emit &emit, const Routine &routine) { Counting(emit, routine).run(); }

} // namespace faultline
