// Marks in the copy of a function that will write a trace: a call where a segment begins, and one for each word, with its
// value. What is done to the copy next, such as putting other copies into it, keeps their order; `records.cpp` then
// replaces them. So a record may tell segments of several functions, in the order in which they ran.

#include "emit.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace faultline {
namespace {

// Strings that are read are followed this far.
constexpr uint64_t LONGEST_READ = 4096;

class Marks {
public:
  Marks(Emit &emit, const Routine &routine, ValueToValueMapTy &copies)
      : emit(emit), routine(routine), copies(copies), module(*routine.function->getParent()) {
    Type *none = Type::getVoidTy(emit.context);
    segment_mark = declare(FunctionType::get(none, {emit.word}, false), SEGMENT_MARK);
    word_mark = declare(FunctionType::get(none, {emit.word}, false), WORD_MARK);
  }

  void run() {
    for (const Segment &segment : routine.segments) {
      Instruction *start = Emit::start(*cast<BasicBlock>(copies[segment.block]));
      IRBuilder<> builder(start);
      mark(builder, segment_mark, emit.number(segment.number));
      for (unsigned node = segment.first_node; node < segment.end_node; ++node)
        mark_accesses(routine.nodes[node], start);
    }
  }

private:
  Emit &emit;
  const Routine &routine;
  ValueToValueMapTy &copies;
  Module &module;
  FunctionCallee segment_mark, word_mark;

  // Nothing of the program is read or changed, but they stay where they are: they might not return.
  FunctionCallee declare(FunctionType *type, const char *name) {
    FunctionCallee mark = module.getOrInsertFunction(name, type);
    auto *function = cast<Function>(mark.getCallee());
    function->setOnlyAccessesInaccessibleMemory();
    function->addFnAttr(Attribute::NoUnwind);
    function->addFnAttr(Attribute::NoCallback);
    return mark;
  }

  static void mark(IRBuilder<> &builder, FunctionCallee what, Value *value) {
    CallInst *call = builder.CreateCall(what, {value});
    call->setDoesNotThrow();
    call->setDebugLoc(DebugLoc());
  }

  void word(IRBuilder<> &builder, Value *value) { mark(builder, word_mark, value); }

  Value *copied(Value *value) {
    auto found = copies.find(value);
    return found == copies.end() ? value : static_cast<Value *>(found->second);
  }

  void mark_accesses(const Node &node, Instruction *start) {
    if (node.accesses.empty())
      return;
    bool plain = node.kind == Kind::Load || node.kind == Kind::Store;
    if (plain && node.accesses[0].place != Place::Own)
      return;
    Instruction *at = node.kind == Kind::Effect ? start : cast<Instruction>(copied(node.instruction));
    IRBuilder<> builder(at);
    for (const Access &access : node.accesses) {
      if (access.is_positioned) {
        word_positions(builder, access, *cast<CallBase>(copied(node.call)));
        continue;
      }
      if (access.print) {
        word(builder, destination(builder, access));
        word(builder, length(builder, access, access.address ? copied(access.address) : nullptr));
        continue;
      }
      Value *address = copied(access.address);
      if (access.is_in_string) {
        // The pointer and the length come first in it.
        word(builder, emit.load(builder, emit.word, address));
        word(builder, emit.load(builder, emit.word, builder.CreateConstGEP1_64(emit.word, address, 1)));
        continue;
      }
      Value *there = builder.CreatePtrToInt(address, emit.word);
      if (access.is_stream)
        there = builder.CreateSelect(builder.CreateICmpEQ(address, standard_stream()), emit.number(0), there);
      word(builder, there);
      if (!plain)
        word(builder, length(builder, access, address));
    }
  }

  // Where a stream of C++ was before a call, and how far it has come.
  void word_positions(IRBuilder<> &builder, const Access &access, CallBase &call) {
    FunctionCallee position = module.getOrInsertFunction("__faultline_position", FunctionType::get(emit.word, {emit.pointer}, false));
    Value *stream = copied(access.stream);
    CallInst *before = CallInst::Create(position, {stream}, "", call.getIterator());
    CallInst *behind = builder.CreateCall(position, {stream});
    for (CallInst *it : {before, behind}) {
      it->setDoesNotThrow();
      it->setDebugLoc(DebugLoc());
    }
    word(builder, before);
    word(builder, builder.CreateSub(behind, before));
  }

  // Where nothing in a program uses it, it is nowhere.
  Constant *standard_stream() {
    if (GlobalVariable *known = module.getGlobalVariable("_ZSt4cout"))
      return known;
    return new GlobalVariable(module, Type::getInt8Ty(emit.context), false, GlobalValue::ExternalWeakLinkage, nullptr, "_ZSt4cout");
  }

  // Where a call printed to.
  Value *destination(IRBuilder<> &builder, const Access &access) {
    if (!access.stream)
      return emit.number(1);
    Value *stream = copied(access.stream);
    Value *standard = nullptr;
    if (stream->getType()->isPointerTy())
      standard = emit.load(builder, emit.pointer, module.getOrInsertGlobal("stdout", emit.pointer));
    else
      standard = ConstantInt::get(stream->getType(), 1);
    return builder.CreateSelect(builder.CreateICmpEQ(stream, standard), emit.number(1), emit.number(2));
  }

  Value *length(IRBuilder<> &builder, const Access &access, Value *address) {
    if (access.string) {
      auto *type = FunctionType::get(emit.word, {emit.pointer, emit.word}, false);
      FunctionCallee string = module.getOrInsertFunction("__faultline_string", type);
      Value *limit = emit.number(access.write || access.print ? UINT64_MAX / 2 : LONGEST_READ);
      if (access.length)
        limit = builder.CreateZExtOrTrunc(copied(access.length), emit.word);
      CallInst *call = builder.CreateCall(string, {address, limit});
      call->setDoesNotThrow();
      // What is printed of a string is one less, or its end stands for the end of the line.
      return access.fixed ? builder.CreateAdd(call, emit.number(access.fixed)) : call;
    }
    if (!access.length)
      return emit.number(access.fixed);
    Value *length = builder.CreateSExtOrTrunc(copied(access.length), emit.word);
    if (access.factor)
      length = builder.CreateMul(length, builder.CreateSExtOrTrunc(copied(access.factor), emit.word));
    return length;
  }
};

// Callees before callers.
class Folding {
public:
  explicit Folding(const std::vector<std::pair<Function *, Function *>> &copies) {
    PassBuilder passes;
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(components);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, components, modules);
    for (auto [function, copy] : copies)
      if (!function->isVarArg() && !function->hasFnAttribute(Attribute::NoInline) && !function->callsFunctionThatReturnsTwice())
        foldable.insert(copy);
  }

  void visit(Function &copy) {
    if (!seen.insert(&copy).second)
      return;
    SmallVector<CallBase *, 16> calls;
    for (Instruction &instruction : instructions(copy))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction(); callee && foldable.count(callee) && callee != &copy)
          calls.push_back(call);
    for (CallBase *call : calls)
      visit(*call->getCalledFunction());
    unsigned size = copy.getInstructionCount();
    for (CallBase *call : calls) {
      Function &callee = *call->getCalledFunction();
      unsigned more = callee.getInstructionCount();
      if (!finished.count(&callee) || more > SMALL || size + more > LARGEST || call->isMustTailCall() ||
          !AttributeFuncs::areInlineCompatible(copy, callee))
        continue;
      InlineFunctionInfo information;
      if (InlineFunction(*call, information).isSuccess())
        size += more;
    }
    finished.insert(&copy);
    // What is loaded twice becomes one value, so that addresses that come from it are seen to be the same.
    EarlyCSEPass(true).run(copy, functions);
    functions.invalidate(copy, PreservedAnalyses::none());
  }

private:
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  // In instructions, with marks.
  static constexpr unsigned SMALL = 160, LARGEST = 20000;
  SmallPtrSet<Function *, 16> foldable, seen, finished;
};

} // namespace

void mark(Emit &emit, const Routine &routine, ValueToValueMapTy &copies) { Marks(emit, routine, copies).run(); }

void fold(const std::vector<std::pair<Function *, Function *>> &copies) {
  Folding folding(copies);
  for (auto [function, copy] : copies)
    folding.visit(*copy);
}

} // namespace faultline
