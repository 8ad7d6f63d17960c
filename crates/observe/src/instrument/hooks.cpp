// Inserts what runs in the observed program. Each function becomes three: itself, with counters and ranges, a copy that writes
// a trace, and one that counts and observes exactly up to a crash, also inside of large expressions. It jumps to one of the copies
// while that is asked for. Nothing is called on the way but the refill of the trace's window.
//
// Counters and ranges fill whole pages, so that the runtime can put pages of a file in their place: what was counted is
// in the file however the process ends.

#include "emit.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace faultline {
namespace {

constexpr uint64_t PAGE = 4096;
// Values of the field for the body that runs: `enum body` in runtime.h.
constexpr uint64_t BODY_TRACE = 1;
// Values of a byte.
constexpr unsigned BYTES = 256;
// As runtime.h has them.
constexpr uint64_t LEAST_OF_NONE = 0x7f8000007f800000, GREATEST_OF_NONE = 0xff800000ff800000;

class Hooks : Emit {
public:
  Hooks(Module &module, const Plan &plan) : Emit(module), plan(plan) {
    for (const Routine &routine : plan.routines)
      bundles.push_back(bundle(routine, bound_count));
    for (const Routine &routine : plan.routines)
      for (const Node &node : routine.nodes)
        if (node.range && !node.shares_range && !node.follows && node.bits == 8 && node.order != Order::Float)
          inside_of.try_emplace(*node.range, inside_of.size() * BYTES);
    add_globals();
    GlobalVariable *all = module.getGlobalVariable("llvm.global_ctors");
    if (auto *list = all ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr)
      for (const Use &entry : list->operands())
        if (auto *function = dyn_cast<Function>(cast<ConstantStruct>(entry)->getOperand(1)->stripPointerCasts()))
          constructors.insert(function);
  }

  void insert() {
    std::vector<std::pair<Function *, Function *>> traced = trace();
    // Nothing may be in a function before it is copied, nor before its loops are looked at.
    DenseMap<const Function *, Function *> exact;
    for (const Routine &routine : plan.routines)
      if (!routine.is_library)
        exact[routine.function] = observe_exactly(*this, routine);
    call_copies(exact);
    mark_inlined(plan);
    for (const Routine &routine : plan.routines)
      if (!routine.is_library)
        count(*this, routine);
    for (unsigned index = 0; index < plan.routines.size(); ++index)
      add_ranges(*this, plan.routines[index], bundles[index]);
    for (auto [function, copy] : traced)
      dispatch(*function, *copy, exact.lookup(function));
    add_registration();
  }

private:
  const Plan &plan;
  // What runs before `main`.
  SmallPtrSet<const Function *, 4> constructors;
  // Of each routine.
  std::vector<std::vector<Bundle>> bundles;
  unsigned bound_count = 0;

  GlobalVariable *own_global(Type *type, Constant *content, const char *name, bool constant) {
    auto *global = new GlobalVariable(module, type, constant, GlobalValue::InternalLinkage, content, name);
    GlobalValue::SanitizerMetadata none;
    none.NoAddress = none.NoHWAddress = true;
    global->setSanitizerMetadata(none);
    return global;
  }

  GlobalVariable *pages(unsigned words, const char *name) {
    uint64_t size = (words * 8 + PAGE - 1) / PAGE * PAGE;
    auto *type = ArrayType::get(word, size / 8);
    auto *global = own_global(type, ConstantAggregateZero::get(type), name, false);
    global->setAlignment(Align(PAGE));
    return global;
  }

  GlobalVariable *thread_global(const char *name) {
    auto *global = new GlobalVariable(module, pointer, false, GlobalValue::ExternalLinkage, nullptr, name);
    // In a library of its own, that would make all that the library has for each thread part of what is reserved when the program
    // starts, and there may be too little left when it is loaded.
    bool in_library = module.getPICLevel() != PICLevel::NotPIC && module.getPIELevel() == PIELevel::Default;
    global->setThreadLocalMode(in_library ? GlobalValue::GeneralDynamicTLSModel : GlobalValue::InitialExecTLSModel);
    return global;
  }

  // What is in a vector's bounds before there is a value: every value is outside. Comparisons with what is no number would raise a flag
  // that the program may ask for.
  std::vector<uint64_t> no_bounds() const {
    std::vector<uint64_t> words;
    for (unsigned index = 0; index < bound_count; ++index)
      words.push_back(index % VECTOR_WORDS < VECTOR_WORDS / 2 ? LEAST_OF_NONE : GREATEST_OF_NONE);
    return words;
  }

  void add_globals() {
    counters = pages(plan.counters, "faultline.counters");
    ranges = pages(plan.ranges * 2, "faultline.ranges");
    inner = pages(plan.inner * 2, "faultline.inner");
    Constant *none = ConstantDataArray::get(context, ArrayRef(no_bounds()));
    bounds = own_global(none->getType(), none, "faultline.bounds", false);
    bounds->setAlignment(Align(16));
    auto *flags = ArrayType::get(Type::getInt8Ty(context), inside_of.size() * BYTES);
    inside = own_global(flags, ConstantAggregateZero::get(flags), "faultline.inside", false);
    inside->setAlignment(Align(64));
    unit_type = StructType::get(
        context, {word, pointer, word, pointer, word, pointer, word, pointer, word, pointer, word, word, word, pointer, word, pointer});
    unit = own_global(unit_type, ConstantAggregateZero::get(unit_type), "faultline.unit", false);
    cursor = thread_global("__faultline_cursor");
    limit = thread_global("__faultline_limit");
  }

  // When all is known that it tells.
  void add_table(const std::string &table) {
    auto *bytes = ConstantDataArray::getString(context, table, false);
    auto *section = own_global(bytes->getType(), bytes, "faultline.table", true);
    section->setSection(".faultline");
    section->setAlignment(Align(8));
    appendToUsed(module, {section});
    uint64_t hash;
    memcpy(&hash, table.data() + 16, 8);
    Constant *null = ConstantPointerNull::get(cast<PointerType>(pointer));
    unit->setInitializer(ConstantStruct::get(unit_type, {number(hash), counters, number(plan.counters), ranges, number(plan.ranges),
                                                         inner, number(plan.inner), bounds, number(bound_count), inside,
                                                         number(inside_of.size() * BYTES), number(0), number(0), globals(),
                                                         number(plan.globals.size()), null}));
  }

  // Each function's copy, with what writes a trace.
  std::vector<std::pair<Function *, Function *>> trace() {
    std::vector<std::pair<Function *, Function *>> pairs;
    DenseMap<const Function *, Function *> traced;
    for (const Routine &routine : plan.routines) {
      ValueToValueMapTy copies;
      Function *copy = copy_of(*routine.function, copies);
      mark(*this, routine, copies);
      traced[routine.function] = copy;
      pairs.emplace_back(routine.function, copy);
    }
    call_copies(traced);
    fold(pairs);
    std::vector<Region> regions;
    unsigned names = 0;
    for (auto [function, copy] : pairs) {
      decide(*copy);
      record(*this, *copy, regions, names);
    }
    for (const char *name : {SEGMENT_MARK, WORD_MARK})
      if (Function *mark = module.getFunction(name))
        mark->eraseFromParent();
    add_table(write_table(module, plan, regions));
    for (auto [function, copy] : pairs)
      shape_copy(*function, *copy, ".faultline");
    return pairs;
  }

  // What decides a branch without ever having been written decides it somehow. Otherwise the optimizer may do anything there, and
  // with hooks it does other things than without: but such a run is what is asked about.
  static void decide(Function &copy) {
    for (BasicBlock &block : copy) {
      Instruction *end = block.getTerminator();
      auto *branch = dyn_cast<BranchInst>(end);
      auto *choice = dyn_cast<SwitchInst>(end);
      if (!choice && !(branch && branch->isConditional()))
        continue;
      Value *condition = choice ? choice->getCondition() : branch->getCondition();
      // LLVM would say that it is known, for something depends on it.
      if (isa<ConstantInt>(condition))
        continue;
      auto *frozen = new FreezeInst(condition, "", end->getIterator());
      if (choice)
        choice->setCondition(frozen);
      else
        branch->setCondition(frozen);
    }
  }

  // Where the variables are that are accessed without a pointer.
  Constant *globals() {
    std::vector<Constant *> addresses(plan.globals.begin(), plan.globals.end());
    auto *type = ArrayType::get(pointer, addresses.size());
    return own_global(type, ConstantArray::get(type, addresses), "faultline.globals", false);
  }

  // What is asked for does not change, so that the calls in a copy need not ask again.
  static void call_copies(const DenseMap<const Function *, Function *> &copies) {
    for (auto [function, copy] : copies)
      for (Instruction &instruction : instructions(*copy))
        if (auto *call = dyn_cast<CallBase>(&instruction)) {
          Function *callee = call->getCalledFunction();
          // What is linked once may be dropped here for what another unit has, and what a library exports for what the program has.
          bool fixed = callee && !callee->isInterposable() && !callee->hasComdat() && (callee->isDSOLocal() || callee->hasLocalLinkage());
          Function *other = fixed ? copies.lookup(callee) : nullptr;
          if (other && other->getFunctionType() == call->getFunctionType())
            call->setCalledFunction(other);
        }
  }

  // Goes on in the copy that is asked for. What is not the user's has no exact one.
  void dispatch(Function &function, Function &traced, Function *exact) {
    choose(function, traced, exact, function.isVarArg() ? go_on_alone(function) : start(function.getEntryBlock()));
  }

  // What it does becomes another function, in which it goes on, and where it does so is the answer. LLVM 19 spoils the frame of a
  // function that both asks for its variable arguments and hands them on, if there are larger vectors.
  Instruction *go_on_alone(Function &function) {
    Function *body = Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage, function.getAddressSpace(), "", &module);
    body->copyAttributesFrom(&function);
    shape_copy(function, *body, ".quick");
    body->splice(body->begin(), &function);
    for (auto [argument, own] : zip(function.args(), body->args()))
      argument.replaceAllUsesWith(&own);
    body->setSubprogram(function.getSubprogram());
    BasicBlock *entry = BasicBlock::Create(context, "", &function);
    auto *end = new UnreachableInst(context, entry);
    function.setSubprogram(nullptr);
    function.setPersonalityFn(nullptr);
    return go_on(end, function, *body);
  }

  void choose(Function &function, Function &traced, Function *exact, Instruction *at) {
    IRBuilder<> builder(at);
    // It never changes while a function runs, so that what is put into another one does not ask again.
    auto *asked = cast<LoadInst>(load(builder, word, field(BODY)));
    asked->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    MDNode *rare = MDBuilder(context).createBranchWeights(1, 2000);
    if (!exact) {
      go_on(SplitBlockAndInsertIfThen(builder.CreateICmpEQ(asked, number(BODY_TRACE)), at, true, rare), function, traced);
      return;
    }
    Instruction *then = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(asked), at, true, rare);
    IRBuilder<> choice(then);
    // Read again, or the two questions would become one that is not known to be the same.
    Value *again = load(choice, word, field(BODY));
    cast<LoadInst>(again)->setVolatile(true);
    go_on(SplitBlockAndInsertIfThen(choice.CreateICmpEQ(again, number(BODY_TRACE)), then, true), function, traced);
    go_on(then, function, *exact);
  }

  // Functions with variable arguments cannot be called otherwise than instead of this one. LLVM 19 copies arguments that are passed by
  // value over spilled registers in such a call on x86, and changes the types of results that are not used in one of the two
  // functions, but not in the other; so it is only asked for it there.
  CallInst::TailCallKind tail_call(Function &function) {
    if (function.isVarArg()) {
      // Its type is kept if its address is.
      if (function.hasLocalLinkage())
        appendToCompilerUsed(module, {&function});
      return CallInst::TCK_MustTail;
    }
    if (any_of(function.args(), [](const Argument &it) { return it.hasByValAttr(); }))
      return CallInst::TCK_NoTail;
    // AddressSanitizer puts a call of its own before their ends.
    if (constructors.count(&function))
      return CallInst::TCK_Tail;
    return function.hasLocalLinkage() && !function.getReturnType()->isVoidTy() ? CallInst::TCK_Tail : CallInst::TCK_MustTail;
  }

  // In place of what ends a block.
  CallInst *go_on(Instruction *end, Function &function, Function &body) {
    IRBuilder<> away(end);
    if (DISubprogram *subprogram = function.getSubprogram())
      away.SetCurrentDebugLocation(DILocation::get(context, subprogram->getScopeLine(), 0, subprogram));
    SmallVector<Value *, 8> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
    CallInst *call = away.CreateCall(body.getFunctionType(), &body, arguments);
    call->setTailCallKind(tail_call(function));
    call->setCallingConv(function.getCallingConv());
    AttributeList attributes = function.getAttributes();
    call->setAttributes(attributes.removeFnAttributes(context));
    if (function.getReturnType()->isVoidTy())
      away.CreateRetVoid();
    else
      away.CreateRet(call);
    end->eraseFromParent();
    return call;
  }

  void add_registration() {
    auto *type = FunctionType::get(Type::getVoidTy(context), false);
    auto *call_type = FunctionType::get(Type::getVoidTy(context), {pointer}, false);
    auto make = [&](const char *name, const char *callee) {
      Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
      function->addFnAttr(Attribute::NoUnwind);
      IRBuilder<> builder(BasicBlock::Create(context, "", function));
      builder.CreateCall(module.getOrInsertFunction(callee, call_type), {unit});
      builder.CreateRetVoid();
      return function;
    };
    // Before the program's own constructors, and after its destructors.
    appendToGlobalCtors(module, make("faultline.begin", "__faultline_register_12"), 1);
    appendToGlobalDtors(module, make("faultline.end", "__faultline_unregister_12"), 1);
  }
};

} // namespace

void insert_hooks(Module &module, const Plan &plan) { Hooks(module, plan).insert(); }

} // namespace faultline
