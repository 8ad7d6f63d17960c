// What all hooks need to write code: accesses to counters, ranges and the trace, which the optimizer knows to be apart
// from the program's memory and sanitizers do not look at.

#pragma once

#include "plan.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace faultline {

struct Emit {
  explicit Emit(llvm::Module &module)
      : module(module), context(module.getContext()), word(llvm::Type::getInt64Ty(context)),
        pointer(llvm::PointerType::getUnqual(context)), apart(keep_apart(module)) {}

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::Type *word;
  llvm::Type *pointer;
  // The type of accesses, for the optimizer.
  llvm::MDNode *apart;
  // Pages of counters, of ranges, and of ranges inside of expressions; and bounds of ranges.
  llvm::GlobalVariable *counters = nullptr, *ranges = nullptr, *inner = nullptr, *bounds = nullptr;
  // For ranges of bytes, which of them are inside, and where that begins for a range.
  llvm::GlobalVariable *inside = nullptr;
  llvm::DenseMap<unsigned, unsigned> inside_of;
  llvm::GlobalVariable *unit = nullptr;
  llvm::StructType *unit_type = nullptr;
  // Where a thread's next record goes, and where its window ends.
  llvm::GlobalVariable *cursor = nullptr, *limit = nullptr;

  // Of `struct unit` in runtime.h.
  enum Field { HASH, COUNTERS, COUNTER_COUNT, RANGES, RANGE_COUNT, INNER, INNER_COUNT, BOUNDS, BOUND_COUNT, INSIDE, INSIDE_COUNT, BASE, BODY, GLOBALS, GLOBAL_COUNT, NEXT };

  // Which of a function's bodies observes ranges there.
  enum class Body : uint8_t { Quick, Exact };

  llvm::Constant *field(Field field) {
    llvm::Type *index = llvm::Type::getInt32Ty(context);
    llvm::Constant *indices[] = {llvm::ConstantInt::get(index, 0), llvm::ConstantInt::get(index, field)};
    return llvm::ConstantExpr::getInBoundsGetElementPtr(unit_type, unit, indices);
  }

  llvm::Constant *number(uint64_t value) { return llvm::ConstantInt::get(word, value); }

  llvm::LoadInst *load(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *address) {
    return quiet(builder.CreateAlignedLoad(type, address, llvm::Align(8)));
  }

  llvm::StoreInst *store(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *address) {
    return quiet(builder.CreateAlignedStore(value, address, llvm::Align(8)));
  }

  llvm::LoadInst *load_number(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *address) {
    return quiet(builder.CreateAlignedLoad(type, address, llvm::Align(4)));
  }

  llvm::LoadInst *load_byte(llvm::IRBuilder<> &builder, llvm::Value *address) {
    return quiet(builder.CreateAlignedLoad(builder.getInt8Ty(), address, llvm::Align(1)));
  }

  llvm::LoadInst *load_vector(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *address) {
    return quiet(builder.CreateAlignedLoad(type, address, llvm::Align(16)));
  }

  llvm::Constant *element(llvm::GlobalVariable *array, unsigned index) {
    llvm::Constant *indices[] = {number(0), number(index)};
    return llvm::ConstantExpr::getInBoundsGetElementPtr(array->getValueType(), array, indices);
  }

  // Allocations of fixed size stay at the head of the first block, or they would move the stack pointer.
  static llvm::Instruction *start(llvm::BasicBlock &block) {
    if (block.isEntryBlock())
      return &*block.getFirstNonPHIOrDbgOrAlloca();
    return &*block.getFirstInsertionPt();
  }

  // A body of the same function, which is called from there alone.
  void shape_copy(llvm::Function &function, llvm::Function &copy, const char *name) {
    copy.setName(function.getName() + name);
    copy.setLinkage(llvm::GlobalValue::InternalLinkage);
    copy.setVisibility(llvm::GlobalValue::DefaultVisibility);
    copy.setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
    copy.setComdat(function.getComdat());
    for (llvm::Function *it : {&function, &copy}) {
      it->removeFnAttr(llvm::Attribute::Memory);
      it->removeFnAttr(llvm::Attribute::Speculatable);
    }
    copy.removeFnAttr(llvm::Attribute::AlwaysInline);
    copy.addFnAttr(llvm::Attribute::NoInline);
  }

  // Where a value is known, and before what.
  static std::pair<llvm::Value *, llvm::Instruction *> observed(const Node &node, llvm::Function &function) {
    if (node.argument)
      return {node.argument, start(function.getEntryBlock())};
    if (auto *write = llvm::dyn_cast<llvm::StoreInst>(node.instruction))
      return {node.field ? node.field : write->getValueOperand(), write};
    if (auto *result = llvm::dyn_cast<llvm::ReturnInst>(node.instruction))
      return {result->getReturnValue(), result};
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(node.instruction))
      return {invoke, start(*invoke->getNormalDest())};
    auto *value = node.field ? llvm::cast<llvm::Instruction>(node.field) : node.instruction;
    return {value, value->getNextNode()};
  }

  // A value that hooks may branch on. Programs copy what was never written, as a part of a structure, but to branch on it is
  // undefined, and the optimizer would drop what comes next.
  llvm::Value *some(llvm::IRBuilder<> &builder, llvm::Value *value) {
    return llvm::isGuaranteedNotToBeUndefOrPoison(value) ? value : builder.CreateFreeze(value);
  }

  // Integers as 64-bit ones in the order of their type.
  llvm::Value *ordered(llvm::IRBuilder<> &builder, const Node &node, llvm::Value *value) {
    if (node.order == Order::Signed)
      return builder.CreateSExt(value, word);
    value = builder.CreateZExt(value, word);
    return node.bits == 64 ? builder.CreateXor(value, number(1ull << 63)) : value;
  }

  // The function keeps all registers but those of floating point, so that the caller need not be prepared for it; it is
  // never bound late, since that would use registers. In exact bodies it is called as any other: that compiles faster.
  void widen(const char *name, llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> arguments, Body body = Body::Quick) {
    auto convention = body == Body::Quick ? llvm::CallingConv::PreserveMost : llvm::CallingConv::C;
    llvm::SmallVector<llvm::Type *, 3> types;
    for (llvm::Value *argument : arguments)
      types.push_back(argument->getType());
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
    auto *function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
    function->setCallingConv(convention);
    function->addFnAttr(llvm::Attribute::NonLazyBind);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->addFnAttr(llvm::Attribute::NoCallback);
    function->setOnlyAccessesArgMemory();
    function->addFnAttr(llvm::Attribute::Cold);
    llvm::CallInst *call = builder.CreateCall(function, arguments);
    call->setCallingConv(convention);
    call->setMetadata(llvm::LLVMContext::MD_tbaa, apart);
  }

private:
  template <typename T> T *quiet(T *instruction) {
    instruction->setNoSanitizeMetadata();
    instruction->setMetadata(llvm::LLVMContext::MD_tbaa, apart);
    return instruction;
  }
};

// marks.cpp: says in a copy of a function, by calls that nobody makes, where segments begin and which words they have.
// Copies of small functions are put into those that call them.
constexpr char SEGMENT_MARK[] = "faultline.segment", WORD_MARK[] = "faultline.word";
void mark(Emit &emit, const Routine &routine, llvm::ValueToValueMapTy &copies);
void fold(const std::vector<std::pair<llvm::Function *, llvm::Function *>> &copies);
// sums.cpp: what a word is the sum of, but for a constant. Nothing if it is one.
struct Sum {
  std::vector<uintptr_t> key;
  int64_t constant = 0;
};
Sum sum_of(llvm::Value *word, const llvm::DataLayout &layout);
// records.cpp: writes what the marks of a copy say into the trace. `names` counts the names of records that are taken.
void record(Emit &emit, llvm::Function &copy, std::vector<Region> &regions, unsigned &names);
// counting.cpp: counters of a function's blocks and branches, before anything else is added to it.
void count(Emit &emit, const Routine &routine);
void increment(Emit &emit, unsigned counter, llvm::Instruction *at);
// The end of a block of its own on a way from a block with others to a block with others, and all such ways between the two.
llvm::Instruction *on_way(llvm::Instruction &end, unsigned way);
// inlining.cpp: marks calls in whose place the optimizer is to put what they call. Before anything is added.
void mark_inlined(const Plan &plan);
// packing.cpp: values of floating point that are compared with their ranges together, before an instruction; and where their
// bounds begin, in words. `bounds` counts those that are taken.
struct Bundle {
  std::vector<const Node *> nodes;
  llvm::Instruction *before = nullptr;
  unsigned bounds = 0;
};
// Another body for a function that is known to debuggers, and which values are which.
llvm::Function *copy_of(llvm::Function &function, llvm::ValueToValueMapTy &copies);

// Words of the bounds of a vector, which has 16 bytes.
constexpr unsigned VECTOR_WORDS = 4;

std::vector<Bundle> bundle(const Routine &routine, unsigned &bounds);
void observe(Emit &emit, const Bundle &bundle, llvm::Function &function);
// ranges.cpp: compares values with their ranges, and makes these wider: a function's nodes, or one node, before an instruction.
void add_ranges(Emit &emit, const Routine &routine, const std::vector<Bundle> &together);
void update_range(Emit &emit, const Node &node, llvm::Value *value, llvm::Instruction *at, Emit::Body body);
llvm::Instruction *rarely(llvm::Value *condition, llvm::Instruction *at);
// exact.cpp: the body that observes everything exactly. Before anything is added to the function.
llvm::Function *observe_exactly(Emit &emit, const Routine &routine);

} // namespace faultline
