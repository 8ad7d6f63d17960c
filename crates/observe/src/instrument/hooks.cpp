// Inserts what runs in the observed program. Each function becomes two: itself, with counters and ranges, and a copy
// that writes a trace; it jumps to the copy while a trace is asked for. Nothing is called on the way but the refill of
// the trace's window.
//
// Counters and ranges fill whole pages, so that the runtime can put pages of a file in their place: what was counted is
// in the file however the process ends.

#include "plan.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace faultline {
namespace {

constexpr uint64_t PAGE = 4096;
// The least value of a range without any, as in counters.c: one that no program has.
constexpr uint64_t UNSEEN = 0xa5c3f00d5bd1e995;
// Strings that are read are followed this far.
constexpr uint64_t LONGEST_READ = 4096;
// Of `struct unit` in runtime.h.
enum Field { HASH, COUNTERS, COUNTER_COUNT, RANGES, RANGE_COUNT, BASE, TRACING, NEXT, STATE, FIELDS };

class Hooks {
public:
  Hooks(Module &module, const Plan &plan, const std::string &table)
      : module(module), plan(plan), context(module.getContext()), word(Type::getInt64Ty(context)),
        pointer(PointerType::getUnqual(context)) {
    add_globals(table);
  }

  void insert() {
    for (const Routine &routine : plan.routines) {
      ValueToValueMapTy copies;
      Function *copy = CloneFunction(routine.function, copies);
      shape_copy(*routine.function, *copy);
      for (const Segment &segment : routine.segments)
        trace(routine, segment, copies);
      for (const Node &node : routine.nodes)
        if (node.range)
          update_range(node, *routine.function);
      for (const Segment &segment : routine.segments)
        count(routine, segment);
      dispatch(*routine.function, *copy);
    }
    add_registration();
  }

private:
  Module &module;
  const Plan &plan;
  LLVMContext &context;
  Type *word;
  Type *pointer;
  GlobalVariable *counters = nullptr, *ranges = nullptr, *unit = nullptr;
  GlobalVariable *cursor = nullptr, *limit = nullptr;
  StructType *unit_type = nullptr;

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
    global->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    return global;
  }

  Constant *number(uint64_t value) { return ConstantInt::get(word, value); }

  void add_globals(const std::string &table) {
    counters = pages(plan.counters, "faultline.counters");
    ranges = pages(plan.ranges * 2, "faultline.ranges");
    auto *bytes = ConstantDataArray::getString(context, table, false);
    auto *section = own_global(bytes->getType(), bytes, "faultline.table", true);
    section->setSection(".faultline");
    section->setAlignment(Align(8));
    appendToUsed(module, {section});
    uint64_t hash;
    memcpy(&hash, table.data() + 16, 8);
    unit_type = StructType::get(context, {word, pointer, word, pointer, word, word, word, pointer, pointer});
    Constant *null = ConstantPointerNull::get(cast<PointerType>(pointer));
    auto *content = ConstantStruct::get(unit_type, {number(hash), counters, number(plan.counters), ranges, number(plan.ranges),
                                                    number(0), number(0), null, null});
    unit = own_global(unit_type, content, "faultline.unit", false);
    cursor = thread_global("__faultline_cursor");
    limit = thread_global("__faultline_limit");
  }

  template <typename T> T *quiet(T *instruction) {
    instruction->setNoSanitizeMetadata();
    return instruction;
  }

  Value *load(IRBuilder<> &builder, Type *type, Value *address) { return quiet(builder.CreateAlignedLoad(type, address, Align(8))); }
  StoreInst *store(IRBuilder<> &builder, Value *value, Value *address) {
    return quiet(builder.CreateAlignedStore(value, address, Align(8)));
  }
  Constant *field(Field field) {
    Constant *indices[] = {ConstantInt::get(Type::getInt32Ty(context), 0), ConstantInt::get(Type::getInt32Ty(context), field)};
    return ConstantExpr::getInBoundsGetElementPtr(unit_type, unit, indices);
  }
  Constant *element(GlobalVariable *array, unsigned index) {
    Constant *indices[] = {number(0), number(index)};
    return ConstantExpr::getInBoundsGetElementPtr(array->getValueType(), array, indices);
  }

  // Allocations of fixed size stay at the head of the first block, or they would move the stack pointer.
  static Instruction *start(BasicBlock &block) {
    if (block.isEntryBlock())
      return &*block.getFirstNonPHIOrDbgOrAlloca();
    return &*block.getFirstInsertionPt();
  }

  void shape_copy(Function &function, Function &copy) {
    copy.setName(function.getName() + ".faultline");
    copy.setLinkage(GlobalValue::InternalLinkage);
    copy.setVisibility(GlobalValue::DefaultVisibility);
    copy.setDLLStorageClass(GlobalValue::DefaultStorageClass);
    copy.setComdat(function.getComdat());
    for (Function *it : {&function, &copy}) {
      it->removeFnAttr(Attribute::Memory);
      it->removeFnAttr(Attribute::Speculatable);
    }
    copy.removeFnAttr(Attribute::AlwaysInline);
    copy.addFnAttr(Attribute::NoInline);
  }

  // Values as 64-bit integers in the order of their type.
  Value *ordered(IRBuilder<> &builder, const Node &node, Value *value) {
    switch (node.order) {
    case Order::Signed:
      return builder.CreateSExt(value, word);
    case Order::Unsigned:
      value = builder.CreateZExt(value, word);
      return node.bits == 64 ? builder.CreateXor(value, number(1ull << 63)) : value;
    case Order::Pointer:
      break;
    case Order::Float: {
      value = builder.CreateFPCast(value, builder.getDoubleTy());
      Value *bits = builder.CreateBitCast(value, word);
      Value *mask = builder.CreateLShr(builder.CreateAShr(bits, 63), 1);
      return builder.CreateXor(bits, mask);
    }
    }
    llvm_unreachable("pointers are not ordered");
  }

  // Two words: the least value and how far the greatest is from it, so that one comparison says whether there is
  // something new. Of pointers only nulls are counted, in the second word: how often the others came is known from the
  // block.
  void update_range(const Node &node, Function &function) {
    Instruction *at;
    Value *value;
    if (node.argument) {
      value = node.argument;
      at = start(function.getEntryBlock());
    } else if (auto *write = dyn_cast<StoreInst>(node.instruction)) {
      value = write->getValueOperand();
      at = write;
    } else if (auto *result = dyn_cast<ReturnInst>(node.instruction)) {
      value = result->getReturnValue();
      at = result;
    } else {
      value = node.instruction;
      at = node.instruction->getNextNode();
    }
    IRBuilder<> builder(at);
    Constant *least = element(ranges, *node.range * 2), *second = element(ranges, *node.range * 2 + 1);
    MDNode *rare = MDBuilder(context).createBranchWeights(1, 2000);
    if (node.order == Order::Pointer) {
      IRBuilder<> update(SplitBlockAndInsertIfThen(builder.CreateIsNull(value), at, false, rare));
      store(update, update.CreateAdd(load(update, word, second), number(1)), second);
      return;
    }
    value = ordered(builder, node, value);
    Value *low = load(builder, word, least), *width = load(builder, word, second);
    Value *is_new = builder.CreateICmpUGT(builder.CreateSub(value, low), width);
    IRBuilder<> update(SplitBlockAndInsertIfThen(is_new, at, false, rare));
    Value *high = update.CreateAdd(low, width);
    Value *unseen = update.CreateAnd(update.CreateICmpEQ(low, number(UNSEEN)), update.CreateICmpEQ(width, number(0)));
    Value *below = update.CreateOr(unseen, update.CreateICmpSLT(value, low));
    Value *above = update.CreateOr(unseen, update.CreateICmpSGT(value, high));
    Value *new_low = update.CreateSelect(below, value, low), *new_high = update.CreateSelect(above, value, high);
    store(update, new_low, least);
    store(update, update.CreateSub(new_high, new_low), second);
  }

  // Volatile, or they would be kept in registers through loops that may crash.
  void increment(IRBuilder<> &builder, unsigned index, Value *by) {
    Constant *address = element(counters, index);
    auto *old = cast<LoadInst>(load(builder, word, address));
    old->setVolatile(true);
    store(builder, builder.CreateAdd(old, by), address)->setVolatile(true);
  }

  void count(const Routine &routine, const Segment &segment) {
    if (!segment.continues) {
      IRBuilder<> builder(start(*segment.block));
      increment(builder, segment.counter, number(1));
    }
    for (unsigned index = segment.first_node; index < segment.end_node; ++index) {
      const Node &node = routine.nodes[index];
      if (node.kind != Kind::Branch || node.taken != Node::Taken::Counter)
        continue;
      auto *branch = cast<BranchInst>(node.instruction);
      IRBuilder<> builder(branch);
      increment(builder, node.counter, builder.CreateZExt(branch->getCondition(), word));
    }
  }

  // Reserves the words of a segment and names it; the other words stay zero until they are reached.
  void trace(const Routine &routine, const Segment &segment, ValueToValueMapTy &copies) {
    auto *block = cast<BasicBlock>(copies[segment.block]);
    Instruction *at = start(*block);
    IRBuilder<> builder(at);
    Value *size = number(segment.words * 8);
    Value *here = load(builder, pointer, builder.CreateThreadLocalAddress(cursor));
    Value *next = builder.CreateGEP(builder.getInt8Ty(), here, size);
    Value *full = builder.CreateICmpUGT(next, load(builder, pointer, builder.CreateThreadLocalAddress(limit)));
    MDNode *rare = MDBuilder(context).createBranchWeights(1, 100000);
    Instruction *then = SplitBlockAndInsertIfThen(full, at, false, rare);
    IRBuilder<> cold(then);
    FunctionCallee refill = module.getOrInsertFunction("__faultline_refill", FunctionType::get(pointer, {word}, false));
    CallInst *fresh = cold.CreateCall(refill, {size});
    fresh->setDoesNotThrow();
    builder.SetInsertPoint(at);
    PHINode *base = PHINode::Create(pointer, 2, "", at->getParent()->begin());
    base->addIncoming(fresh, then->getParent());
    base->addIncoming(here, cast<Instruction>(full)->getParent());
    next = builder.CreateGEP(builder.getInt8Ty(), base, size);
    store(builder, next, builder.CreateThreadLocalAddress(cursor))->setVolatile(true);
    Value *name = builder.CreateAdd(load(builder, word, field(BASE)), number(uint64_t(segment.words) << 48 | segment.number));
    put(builder, base, 0, name);
    unsigned position = 1;
    for (unsigned index = segment.first_node; index < segment.end_node; ++index)
      trace_accesses(routine.nodes[index], at, base, position, copies);
  }

  void put(IRBuilder<> &builder, Value *base, unsigned position, Value *value) {
    // In the program's order, whatever crashes next.
    store(builder, value, builder.CreateConstGEP1_64(word, base, position))->setVolatile(true);
  }

  static Value *copied(Value *value, ValueToValueMapTy &copies) {
    auto found = copies.find(value);
    return found == copies.end() ? value : static_cast<Value *>(found->second);
  }

  void trace_accesses(const Node &node, Instruction *start, Value *base, unsigned &position, ValueToValueMapTy &copies) {
    if (node.accesses.empty())
      return;
    bool plain = node.kind == Kind::Load || node.kind == Kind::Store;
    Instruction *at = node.kind == Kind::Effect ? start : cast<Instruction>(copied(node.instruction, copies));
    IRBuilder<> builder(at);
    for (const Access &access : node.accesses) {
      Value *address = copied(access.address, copies);
      put(builder, base, position++, builder.CreatePtrToInt(address, word));
      if (!plain)
        put(builder, base, position++, length(builder, access, address, copies));
    }
  }

  Value *length(IRBuilder<> &builder, const Access &access, Value *address, ValueToValueMapTy &copies) {
    if (access.string) {
      FunctionCallee string = module.getOrInsertFunction("__faultline_string", FunctionType::get(word, {pointer, word}, false));
      Value *limit = number(access.write ? UINT64_MAX / 2 : LONGEST_READ);
      if (access.length)
        limit = builder.CreateZExtOrTrunc(copied(access.length, copies), word);
      CallInst *call = builder.CreateCall(string, {address, limit});
      call->setDoesNotThrow();
      return call;
    }
    if (!access.length)
      return number(access.fixed);
    Value *length = builder.CreateSExtOrTrunc(copied(access.length, copies), word);
    if (access.factor)
      length = builder.CreateMul(length, builder.CreateSExtOrTrunc(copied(access.factor, copies), word));
    return length;
  }

  // Goes on in the copy if a trace is asked for.
  void dispatch(Function &function, Function &copy) {
    Instruction *at = start(function.getEntryBlock());
    IRBuilder<> builder(at);
    Value *tracing = builder.CreateICmpNE(load(builder, word, field(TRACING)), number(0));
    MDNode *rare = MDBuilder(context).createBranchWeights(1, 2000);
    Instruction *then = SplitBlockAndInsertIfThen(tracing, at, true, rare);
    IRBuilder<> away(then);
    DISubprogram *subprogram = function.getSubprogram();
    away.SetCurrentDebugLocation(DILocation::get(context, subprogram->getScopeLine(), 0, subprogram));
    SmallVector<Value *, 8> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
    CallInst *call = away.CreateCall(copy.getFunctionType(), &copy, arguments);
    call->setTailCallKind(CallInst::TCK_MustTail);
    call->setCallingConv(function.getCallingConv());
    AttributeList attributes = function.getAttributes();
    call->setAttributes(attributes.removeFnAttributes(context));
    if (function.getReturnType()->isVoidTy())
      away.CreateRetVoid();
    else
      away.CreateRet(call);
    then->eraseFromParent();
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
    appendToGlobalCtors(module, make("faultline.begin", "__faultline_register"), 1);
    appendToGlobalDtors(module, make("faultline.end", "__faultline_unregister"), 1);
  }
};

} // namespace

void insert_hooks(Module &module, const Plan &plan, const std::string &table) { Hooks(module, plan, table).insert(); }

} // namespace faultline
