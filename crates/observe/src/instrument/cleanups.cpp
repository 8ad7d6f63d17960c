// Where a scope ends that is left in several ways (by its end, `break`, `return`), clang has all of them meet in one block, which
// ends the lives of the scope's variables, and then goes on by a number that each way has set. Nobody wrote that choice, so it is no
// branch of the program. Here every way goes on by itself.

#include "plan.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace faultline {
namespace {

class Cleanup {
public:
  Cleanup(BasicBlock &block, SwitchInst &choice, PHINode &number) : block(block), choice(choice), number(number) {}

  // Every way in has one way out, and nothing happens in between that is more than to end lives of variables.
  bool is_one() const {
    return all_of(block, [&](const Instruction &it) { return isa<PHINode>(it) || it.isLifetimeStartOrEnd() || &it == &choice; }) &&
           all_of(number.incoming_values(), [](const Use &it) { return isa<ConstantInt>(it.get()); }) &&
           none_of(successors(&block), [&](const BasicBlock *it) { return it == &block; });
  }

  void divide() {
    MapVector<ConstantInt *, SmallSetVector<BasicBlock *, 4>> ways;
    for (unsigned index = 0; index < number.getNumIncomingValues(); ++index)
      ways[cast<ConstantInt>(number.getIncomingValue(index))].insert(number.getIncomingBlock(index));
    SmallVector<std::pair<BasicBlock *, ValueToValueMapTy *>, 4> parts;
    std::vector<std::unique_ptr<ValueToValueMapTy>> copies;
    for (auto &[value, before] : ways) {
      copies.push_back(std::make_unique<ValueToValueMapTy>());
      parts.emplace_back(part_for(*value, before, *copies.back()), copies.back().get());
    }
    for (PHINode &phi : block.phis())
      replace(phi, parts);
    // It goes on nowhere, and nobody comes.
    DeleteDeadBlock(&block);
  }

private:
  BasicBlock &block;
  SwitchInst &choice;
  PHINode &number;

  // As the block is for these ways to it.
  BasicBlock *part_for(ConstantInt &value, const SmallSetVector<BasicBlock *, 4> &before, ValueToValueMapTy &copies) {
    BasicBlock *part = CloneBasicBlock(&block, copies, "", block.getParent());
    part->moveBefore(&block);
    for (PHINode &phi : part->phis())
      phi.removeIncomingValueIf([&](unsigned index) { return !before.count(phi.getIncomingBlock(index)); }, false);
    for (BasicBlock *from : before)
      from->getTerminator()->replaceSuccessorWith(&block, part);
    BasicBlock *next = choice.findCaseValue(&value)->getCaseSuccessor();
    ReplaceInstWithInst(part->getTerminator(), BranchInst::Create(next));
    for (PHINode &phi : next->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(&block), part);
    // The next cleanup may ask for it again.
    Value *own = copies[&number];
    own->replaceAllUsesWith(&value);
    cast<Instruction>(own)->eraseFromParent();
    copies[&number] = &value;
    return part;
  }

  void replace(PHINode &phi, ArrayRef<std::pair<BasicBlock *, ValueToValueMapTy *>> parts) {
    SSAUpdater values;
    values.Initialize(phi.getType(), phi.getName());
    for (auto [part, copies] : parts)
      values.AddAvailableValue(part, (*copies)[&phi]);
    for (Use &use : make_early_inc_range(phi.uses()))
      if (auto *user = cast<Instruction>(use.getUser()); user->getParent() != &block)
        values.RewriteUse(use);
  }
};

} // namespace

void divide_cleanups(Function &function) {
  // One that is divided may tell another one its number.
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock &block : make_early_inc_range(function)) {
      auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
      auto *number = choice ? dyn_cast<PHINode>(choice->getCondition()) : nullptr;
      if (!number || number->getParent() != &block || !number->getName().starts_with("cleanup.dest"))
        continue;
      if (Cleanup cleanup(block, *choice, *number); cleanup.is_one()) {
        cleanup.divide();
        again = true;
      }
    }
  }
  EliminateUnreachableBlocks(function);
}

} // namespace faultline
