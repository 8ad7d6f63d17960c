// Where blocks and ways between them are counted, with as few counters on a way through a function as can be: a block with a
// branch runs as often as the ways out of it, one where ways meet as often as these. All is found by adding, so that what a
// thread has not finished when the process ends makes no difference elsewhere.
//
// Of a branch, each way is known: from the block behind it, if that has no other way to it, from a counter, or one of
// them as what the others leave.
//
// Control may not come back from a call: what is behind one does not count what is before it.

#include "plan.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace faultline {
namespace {

class Flow {
public:
  Flow(Plan &plan, Routine &routine) : plan(plan), routine(routine), tree(*routine.function) {}

  void run() {
    for (Segment &segment : routine.segments)
      if (!segment.continues && counts_behind(segment))
        segment.counted = Segment::Counted::Behind;
    for (Segment &segment : routine.segments)
      if (!segment.continues && segment.counted == Segment::Counted::Itself && counts_before(segment))
        segment.counted = Segment::Counted::Before;
    for (Segment &segment : routine.segments) {
      std::vector<unsigned> shared = shared_ways(segment);
      for (unsigned way : shared)
        if (way != shared.back() || is_added(segment, way))
          segment.ways[way] = plan.counters++;
    }
  }

private:
  Plan &plan;
  Routine &routine;
  DominatorTree tree;

  Segment &of(const BasicBlock *block) { return routine.segments[routine.segment_of[block]]; }

  // Only branches and switches have ways that code can be put on.
  static unsigned ways(const Segment &segment) {
    const Instruction *end = segment.block->getTerminator();
    return isa<BranchInst>(end) || isa<SwitchInst>(end) ? end->getNumSuccessors() : 0;
  }

  static BasicBlock *behind(const Segment &segment, unsigned way) { return segment.block->getTerminator()->getSuccessor(way); }

  // Each successor once.
  static bool are_different(const Segment &segment) {
    SmallPtrSet<const BasicBlock *, 8> seen;
    return all_of(successors(segment.block), [&](const BasicBlock *next) { return seen.insert(next).second; });
  }

  // A way from a block with others to a block with others.
  static bool is_shared(const Segment &segment, unsigned way) {
    return ways(segment) > 1 && !behind(segment, way)->getUniquePredecessor();
  }

  // The first to each block.
  static std::vector<unsigned> shared_ways(const Segment &segment) {
    std::vector<unsigned> found;
    SmallPtrSet<const BasicBlock *, 8> seen;
    for (unsigned way = 0; way < ways(segment); ++way)
      if (is_shared(segment, way) && seen.insert(behind(segment, way)).second)
        found.push_back(way);
    return found;
  }

  // A counter there would need a jump in each turn of a loop.
  bool turns(const Segment &segment, unsigned way) {
    return is_shared(segment, way) && tree.dominates(behind(segment, way), segment.block);
  }

  // If it begins, it comes to its end.
  static bool ends(const Segment &segment) {
    return !segment.continues &&
           all_of(*segment.block, [](const Instruction &it) { return it.isTerminator() || isGuaranteedToTransferExecutionToSuccessor(&it); });
  }

  bool counts_behind(const Segment &segment) {
    if (ways(segment) < 2 || !are_different(segment) || !ends(segment))
      return false;
    for (unsigned way = 0; way < ways(segment); ++way)
      if (turns(segment, way))
        return false;
    return true;
  }

  bool counts_before(const Segment &segment) {
    if (segment.block->isEntryBlock() || segment.block->getSinglePredecessor() || pred_empty(segment.block))
      return false;
    return all_of(predecessors(segment.block), [&](const BasicBlock *block) {
      const Segment &before = of(block);
      if (ways(before) == 1)
        return ends(before) && !comes_from(before, segment);
      return ways(before) > 1 && are_different(before) && !tree.dominates(segment.block, block);
    });
  }

  // Whether a block's count is found by that of another.
  bool comes_from(const Segment &segment, const Segment &other) {
    std::vector<const Segment *> open{&segment};
    SmallPtrSet<const Segment *, 8> seen;
    while (!open.empty()) {
      const Segment *one = open.back();
      open.pop_back();
      if (one == &other)
        return true;
      if (one->counted == Segment::Counted::Before && seen.insert(one).second)
        for (const BasicBlock *before : predecessors(one->block))
          if (ways(of(before)) == 1)
            open.push_back(&of(before));
    }
    return false;
  }

  // Whether a block is counted there.
  bool is_added(const Segment &segment, unsigned way) {
    return segment.counted == Segment::Counted::Behind || of(behind(segment, way)).counted == Segment::Counted::Before;
  }
};

} // namespace

void choose_counters(Plan &plan, Routine &routine) { Flow(plan, routine).run(); }

} // namespace faultline
