// Brings a module into the form that the plan needs: variables in registers, jumps without addresses of labels, calls
// at the ends of blocks.

#include "plan.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace faultline {
namespace {

bool is_observed(const Function &function) {
  // Inline functions of the C library are calls of it, whether they are put where they are called or not.
  if (function.isDeclaration() || !function.getSubprogram() || (function.hasAvailableExternallyLinkage() && is_of_library(function)))
    return false;
  if (function.hasFnAttribute(Attribute::Naked) || function.hasFnAttribute(Attribute::NoProfile) ||
      function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) || function.hasFnAttribute(Attribute::OptimizeNone))
    return false;
  // It is divided into several functions later, with what lives across them in a frame that its copies would have to share.
  if (function.isPresplitCoroutine())
    return false;
  // Arguments in the caller's frame cannot be handed on to another function.
  return none_of(function.args(), [](const Argument &argument) {
    return argument.hasInAllocaAttr() || argument.hasPreallocatedAttr() || argument.hasSwiftErrorAttr();
  });
}

// A computed `goto` becomes a switch, since tables of labels can name the blocks of one function only, and there will
// be two copies of it.
void expand_computed_jumps(Function &function) {
  SmallVector<IndirectBrInst *, 4> jumps;
  SmallVector<BasicBlock *, 16> targets;
  for (BasicBlock &block : function) {
    if (auto *jump = dyn_cast<IndirectBrInst>(block.getTerminator()))
      jumps.push_back(jump);
    if (block.hasAddressTaken())
      targets.push_back(&block);
  }
  if (targets.empty())
    return;
  Type *word = function.getParent()->getDataLayout().getIntPtrType(function.getContext());
  DenseMap<BasicBlock *, ConstantInt *> numbers;
  for (BasicBlock *target : targets) {
    auto *number = cast<ConstantInt>(ConstantInt::get(word, numbers.size() + 1));
    numbers[target] = number;
    auto *address = BlockAddress::get(&function, target);
    address->replaceAllUsesWith(ConstantExpr::getIntToPtr(number, address->getType()));
    if (address->use_empty())
      address->destroyConstant();
  }
  for (IndirectBrInst *jump : jumps) {
    IRBuilder<> builder(jump);
    // All jumps of a function are one, which has no place of its own.
    if (const BasicBlock *before = jump->getParent()->getSinglePredecessor(); before && !jump->getDebugLoc())
      builder.SetCurrentDebugLocation(before->getTerminator()->getDebugLoc());
    BasicBlock *nowhere = BasicBlock::Create(function.getContext(), "", &function);
    new UnreachableInst(function.getContext(), nowhere);
    SmallPtrSet<BasicBlock *, 16> seen;
    auto *choice = builder.CreateSwitch(builder.CreatePtrToInt(jump->getAddress(), word), nowhere, numbers.size());
    for (BasicBlock *target : successors(jump->getParent())) {
      if (seen.insert(target).second)
        choice->addCase(numbers[target], target);
      else
        target->removePredecessor(jump->getParent(), true);
    }
    jump->eraseFromParent();
  }
}

// Promotion to registers forgets where `x = 0` and `x = y` stand. An instruction that does nothing remembers, and the
// optimizer will drop it.
void keep_assignments(Function &function) {
  SmallVector<StoreInst *, 32> assignments;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction); store && !store->isVolatile() && store->getDebugLoc()) {
      Value *value = store->getValueOperand();
      auto *load = dyn_cast<LoadInst>(value);
      bool copies = isa<Constant>(value) || (load && isa<AllocaInst>(load->getPointerOperand()));
      Type *type = value->getType();
      // Which way a scope is left is no variable of the program.
      bool is_own = store->getPointerOperand()->getName() != "cleanup.dest.slot";
      if (copies && is_own && isa<AllocaInst>(store->getPointerOperand()) &&
          (type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()))
        assignments.push_back(store);
    }
  for (StoreInst *store : assignments) {
    auto *same = new FreezeInst(store->getValueOperand(), "", store->getIterator());
    same->setDebugLoc(store->getDebugLoc());
    store->setOperand(0, same);
  }
}

bool may_run_other_code(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() && !call->isMustTailCall();
}

void split_behind_calls(Function &function) {
  for (auto block = function.begin(); block != function.end(); ++block)
    for (Instruction &instruction : *block)
      if (may_run_other_code(instruction)) {
        Instruction *next = instruction.getNextNode();
        // Loops over the new block next.
        SplitBlock(&*block, next);
        break;
      }
}

// The words of a segment, at most four for an instruction, must fit into a record.
constexpr unsigned LONGEST = 450;

void split_long_blocks(Function &function) {
  for (auto block = function.begin(); block != function.end(); ++block) {
    unsigned length = 0;
    for (Instruction &instruction : *block)
      if (++length > LONGEST && !instruction.isTerminator() && !isa<PHINode>(instruction)) {
        if (auto *call = block->getTerminatingMustTailCall(); call == &instruction)
          break;
        SplitBlock(&*block, &instruction);
        break;
      }
  }
}

// What the linker keeps once, of however many units have it (functions of C++ in headers, templates), becomes this unit's own:
// another unit's hooks would count elsewhere, whenever one of two bodies of a caller has it inlined and the other calls it. Its name
// stays, for other units and for its address, as a function that goes on in our own. An inline function of C is somebody else's there,
// and nobody's in a program that relies on its being put where it is called.
void make_own(Function &function) {
  Module &module = *function.getParent();
  Function *known = Function::Create(function.getFunctionType(), function.getLinkage(), function.getAddressSpace(), "", &module);
  known->takeName(&function);
  known->copyAttributesFrom(&function);
  known->setComdat(function.getComdat());
  // Unwinding does not end there.
  known->setPersonalityFn(nullptr);
  function.replaceUsesWithIf(known, [&](const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  });
  function.setName(known->getName() + ".own");
  function.setComdat(nullptr);
  bool is_elsewhere = function.hasAvailableExternallyLinkage();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  if (is_elsewhere)
    return known->setLinkage(GlobalValue::ExternalLinkage);

  SmallVector<Value *, 8> arguments;
  for (Argument &argument : known->args())
    arguments.push_back(&argument);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", known));
  CallInst *call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setAttributes(function.getAttributes().removeFnAttributes(module.getContext()));
  // LLVM 19 may copy arguments that are passed by value over others in a tail call.
  bool by_value = any_of(function.args(), [](const Argument &it) { return it.hasByValAttr(); });
  call->setTailCallKind(function.isVarArg() ? CallInst::TCK_MustTail : by_value ? CallInst::TCK_NoTail : CallInst::TCK_Tail);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

// Where a function shall put its result is always known. Without being told, the optimizer has it made sure where a hook looks at it,
// and then the code generator does not find it any more in a call that takes the function's place.
void know_results(Function &function) {
  for (Argument &argument : function.args())
    if (argument.hasStructRetAttr())
      argument.addAttr(Attribute::NoUndef);
}

// Nobody may replace it by something else, so that there is no difference but in its address.
bool is_linked_once(const Function &function) {
  return function.hasLinkOnceODRLinkage() || function.hasWeakODRLinkage() || function.hasAvailableExternallyLinkage();
}

// What an `invoke` gives is known in a block of its own.
void split_behind_invokes(Function &function) {
  for (BasicBlock &block : make_early_inc_range(function))
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()); invoke && !invoke->getNormalDest()->getSinglePredecessor())
      SplitEdge(&block, invoke->getNormalDest());
}

} // namespace

bool is_of_library(const Function &function) {
  const DISubprogram *known = function.getSubprogram();
  const DIFile *file = known ? known->getFile() : nullptr;
  if (!file)
    return false;
  StringRef path = sys::path::is_absolute(file->getFilename()) ? file->getFilename() : file->getDirectory();
  StringRef folders[] = {"/usr/include", "/usr/lib", "/usr/local/include", "/usr/local/lib"};
  return any_of(folders, [&](StringRef folder) { return path.consume_front(folder) && (path.empty() || path.front() == '/'); });
}

std::vector<Function *> prepare(Module &module) {
  PassBuilder passes;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);

  SmallPtrSet<const Function *, 4> resolvers;
  for (GlobalIFunc &ifunc : module.ifuncs())
    if (auto *resolver = ifunc.getResolverFunction())
      resolvers.insert(resolver);

  std::vector<Function *> shared;
  for (Function &function : module)
    if (is_observed(function) && is_linked_once(function))
      shared.push_back(&function);
  for (Function *function : shared)
    make_own(*function);

  std::vector<Function *> observed;
  for (Function &function : module) {
    if (!is_observed(function) || resolvers.count(&function))
      continue;
    know_results(function);
    expand_computed_jumps(function);
    EliminateUnreachableBlocks(function);
    keep_assignments(function);
    SROAPass(SROAOptions::PreserveCFG).run(function, functions);
    functions.invalidate(function, PreservedAnalyses::none());
    divide_cleanups(function);
    divide_conditions(function);
    for (BasicBlock &block : make_early_inc_range(function))
      MergeBlockIntoPredecessor(&block);
    split_long_blocks(function);
    split_behind_calls(function);
    split_behind_invokes(function);
    observed.push_back(&function);
  }
  return observed;
}

} // namespace faultline
