// A further body of a function, with places in the source of its own.
//
// LLVM's way to clone a function looks at all that is known of the unit's types each time, lest it clones them. In units of C++ that
// is most of the time that hooks take. Here only what belongs to the function is cloned: its code, and the scopes in it.

#include "emit.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace faultline {
namespace {

class Places {
public:
  explicit Places(DISubprogram &function) : context(function.getContext()) {
    own = cast<DISubprogram>(MDNode::replaceWithDistinct(function.clone()));
    // Variables that are not in the code any more.
    own->replaceRetainedNodes(MDTuple::get(context, {}));
    scopes[&function] = own;
  }

  DISubprogram *own;

  DILocation *of(DILocation *place) {
    if (!place)
      return nullptr;
    DILocation *inlined_at = place->getInlinedAt();
    // What was put into the function belongs to another one, but for where that was.
    Metadata *scope = inlined_at ? place->getRawScope() : of(place->getScope());
    return DILocation::get(context, place->getLine(), place->getColumn(), scope, of(inlined_at), place->isImplicitCode());
  }

  DILocalVariable *of(DILocalVariable *variable) {
    return DILocalVariable::get(context, of(variable->getScope()), variable->getName(), variable->getFile(), variable->getLine(),
                                variable->getType(), variable->getArg(), variable->getFlags(), variable->getAlignInBits(),
                                variable->getAnnotations());
  }

private:
  LLVMContext &context;
  DenseMap<DILocalScope *, DILocalScope *> scopes;

  DILocalScope *of(DILocalScope *scope) {
    if (DILocalScope *known = scopes.lookup(scope))
      return known;
    auto *block = dyn_cast<DILexicalBlockBase>(scope);
    if (!block)
      return scope;
    auto copy = block->clone();
    copy->replaceOperandWith(1, of(block->getScope()));
    auto *placed = cast<DILocalScope>(MDNode::replaceWithDistinct(std::move(copy)));
    scopes[scope] = placed;
    return placed;
  }
};

// What debuggers know of variables in registers is for the function itself: in its copies it would be a seventh of what compiling
// takes. Sanitizers ask for variables in memory.
void place(Instruction &instruction, Places &places) {
  instruction.setDebugLoc(places.of(instruction.getDebugLoc().get()));
  updateLoopMetadataDebugLocations(instruction, [&](Metadata *it) -> Metadata * {
    auto *ends = dyn_cast_or_null<DILocation>(it);
    return ends ? places.of(ends) : it;
  });
  for (DbgRecord &record : make_early_inc_range(instruction.getDbgRecordRange())) {
    auto *variable = dyn_cast<DbgVariableRecord>(&record);
    if (!variable || !variable->isDbgDeclare() || variable->getDebugLoc()->getInlinedAt()) {
      record.eraseFromParent();
      continue;
    }
    variable->setVariable(places.of(variable->getVariable()));
    variable->setDebugLoc(places.of(variable->getDebugLoc().get()));
  }
}

} // namespace

Function *copy_of(Function &function, ValueToValueMapTy &copies) {
  Function *copy = Function::Create(function.getFunctionType(), function.getLinkage(), function.getAddressSpace(), "", function.getParent());
  copy->copyAttributesFrom(&function);
  for (auto [argument, own] : zip(function.args(), copy->args()))
    copies[&argument] = &own;
  for (BasicBlock &block : function)
    copies[&block] = CloneBasicBlock(&block, copies, "", copy);

  Places places(*function.getSubprogram());
  copy->setSubprogram(places.own);
  const RemapFlags own = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (Instruction &instruction : instructions(*copy)) {
    RemapInstruction(&instruction, copies, own);
    place(instruction, places);
    RemapDbgRecordRange(function.getParent(), instruction.getDbgRecordRange(), copies, own);
  }
  return copy;
}

} // namespace faultline
