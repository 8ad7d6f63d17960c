// Where the parts of a condition meet. Of `while (a && (b || c))` clang makes a block that is told by each part whether the whole is
// true, and then goes one of two ways. Nobody wrote that choice twice, so it is no branch of the program: here every part goes on by
// itself, as in a condition without inner parts, and stands where it is written.

#include "plan.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace faultline {
namespace {

class Meeting {
public:
  // Nothing if the block is none.
  static std::optional<Meeting> of(BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    auto *part = dyn_cast<PHINode>(&block.front());
    if (!branch || !branch->isConditional() || !part || !part->getType()->isIntegerTy(1) || block.hasAddressTaken())
      return std::nullopt;
    Meeting meeting(block, *branch, *part);
    return meeting.is_one() ? std::optional(meeting) : std::nullopt;
  }

  void divide() {
    SmallVector<std::pair<BasicBlock *, Value *>, 8> ways;
    for (unsigned index = 0; index < part.getNumIncomingValues(); ++index)
      ways.emplace_back(part.getIncomingBlock(index), part.getIncomingValue(index));
    for (auto [from, value] : ways)
      go_on(*from, *value);
    DeleteDeadBlock(&block);
  }

private:
  BasicBlock &block;
  BranchInst &branch;
  PHINode &part;
  // Where it goes on if the part is false, and if it is true.
  BasicBlock *next[2] = {nullptr, nullptr};

  Meeting(BasicBlock &block, BranchInst &branch, PHINode &part) : block(block), branch(branch), part(part) {}

  // Nothing happens but that the part is looked at, and nobody else asks for it.
  bool is_one() {
    for (Instruction &it : block) {
      bool is_step = isa<CastInst>(it) || isa<BinaryOperator>(it) || isa<CmpInst>(it) || is_expectation(it);
      if (&it != &part && &it != &branch && !is_step && !it.isDebugOrPseudoInst())
        return false;
      if (any_of(it.users(), [&](const User *user) { return cast<Instruction>(user)->getParent() != &block || isa<PHINode>(user); }))
        return false;
    }
    for (unsigned index = 0; index < part.getNumIncomingValues(); ++index) {
      auto *end = dyn_cast<BranchInst>(part.getIncomingBlock(index)->getTerminator());
      if (part.getIncomingBlock(index) == &block || !(isa<ConstantInt>(part.getIncomingValue(index)) || (end && end->isUnconditional())))
        return false;
    }
    for (bool truth : {false, true}) {
      auto *outcome = dyn_cast_or_null<ConstantInt>(decided(truth));
      if (!outcome)
        return false;
      next[truth] = branch.getSuccessor(outcome->isZero());
    }
    return next[0] != next[1] && next[0] != &block && next[1] != &block;
  }

  static bool is_expectation(const Instruction &it) {
    auto *call = dyn_cast<IntrinsicInst>(&it);
    return call && call->getIntrinsicID() == Intrinsic::expect;
  }

  // What the branch asks, if the part is that. Null if that cannot be told.
  Constant *decided(bool truth) const {
    DenseMap<const Value *, Constant *> known{{&part, ConstantInt::getBool(block.getContext(), truth)}};
    auto find = [&](Value *value) { return isa<Constant>(value) ? cast<Constant>(value) : known.lookup(value); };
    for (Instruction &it : block) {
      if (&it == &part || &it == &branch || it.isDebugOrPseudoInst())
        continue;
      SmallVector<Constant *, 2> operands;
      for (Value *operand : it.operand_values())
        operands.push_back(find(operand));
      if (is_expectation(it))
        known[&it] = operands[0];
      else if (!is_contained(operands, nullptr))
        known[&it] = ConstantFoldInstOperands(&it, operands, block.getDataLayout());
    }
    return find(branch.getCondition());
  }

  void go_on(BasicBlock &from, Value &value) {
    if (auto *truth = dyn_cast<ConstantInt>(&value)) {
      BasicBlock *to = next[truth->isOne()];
      from.getTerminator()->replaceSuccessorWith(&block, to);
      add_way(from, *to);
      return;
    }
    auto *jump = cast<BranchInst>(from.getTerminator());
    IRBuilder<> builder(jump);
    BranchInst *own = builder.CreateCondBr(&value, next[1], next[0]);
    own->setMetadata(LLVMContext::MD_loop, branch.getMetadata(LLVMContext::MD_loop));
    jump->eraseFromParent();
    add_way(from, *next[0]);
    add_way(from, *next[1]);
  }

  void add_way(BasicBlock &from, BasicBlock &to) {
    for (PHINode &phi : to.phis())
      phi.addIncoming(phi.getIncomingValueForBlock(&block), &from);
  }
};

// Clang has a branch stand where the operator behind its part does, or the whole statement.
void place(BranchInst &branch) {
  auto *part = branch.isConditional() ? dyn_cast<Instruction>(branch.getCondition()) : nullptr;
  if (part && part->getParent() == branch.getParent() && part->getDebugLoc() && part->getDebugLoc().getLine() != 0)
    branch.setDebugLoc(part->getDebugLoc());
}

} // namespace

void divide_conditions(Function &function) {
  // What one of them tells another may be a part itself.
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock &block : make_early_inc_range(function))
      if (std::optional<Meeting> meeting = Meeting::of(block)) {
        meeting->divide();
        again = true;
      }
  }
  for (BasicBlock &block : function)
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator()))
      place(*branch);
}

} // namespace faultline
