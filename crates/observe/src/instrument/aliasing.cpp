// Tells the optimizer that no access of the program touches counters, ranges or the trace, and no hook the program's
// memory: else every hook would make it load again what it has in registers.
//
// By types, since other ways of saying it are lost where functions are put into others. Hooks have a type that is a
// child of the root of C's types, beside `char`, which is the parent of all others. What has no type gets `char`.

#include "plan.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace faultline {
namespace {

// The root above the type of an access, null if there is none.
MDNode *root_of(const MDNode *access) {
  auto *type = access->getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(access->getOperand(1)) : nullptr;
  while (type && type->getNumOperands() > 1) {
    auto *parent = dyn_cast_or_null<MDNode>(type->getOperand(1));
    if (!parent)
      return nullptr;
    type = parent;
  }
  return type;
}

MDNode *find_root(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (const MDNode *access = instruction.getMetadata(LLVMContext::MD_tbaa))
        if (MDNode *root = root_of(access))
          return root;
  return MDBuilder(module.getContext()).createTBAARoot("Simple C/C++ TBAA");
}

bool has_no_type(const Instruction &instruction) {
  return (isa<LoadInst>(instruction) || isa<StoreInst>(instruction) || isa<MemIntrinsic>(instruction)) &&
         !instruction.getMetadata(LLVMContext::MD_tbaa) && !instruction.getMetadata(LLVMContext::MD_tbaa_struct);
}

} // namespace

MDNode *keep_apart(Module &module) {
  MDBuilder builder(module.getContext());
  MDNode *root = find_root(module);
  auto access = [&](const char *name) {
    MDNode *type = builder.createTBAAScalarTypeNode(name, root);
    return builder.createTBAAStructTagNode(type, type, 0);
  };
  MDNode *any = access("omnipotent char");
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (has_no_type(instruction))
        instruction.setMetadata(LLVMContext::MD_tbaa, any);
  return access("faultline");
}

} // namespace faultline
