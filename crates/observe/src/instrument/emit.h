// What all hooks need to write code: accesses to counters, ranges and the trace, which the optimizer knows to be apart
// from the program's memory and sanitizers do not look at.

#pragma once

#include "plan.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace faultline {

struct Emit {
  explicit Emit(llvm::Module &module)
      : context(module.getContext()), word(llvm::Type::getInt64Ty(context)), pointer(llvm::PointerType::getUnqual(context)),
        apart(keep_apart(module)) {}

  llvm::LLVMContext &context;
  llvm::Type *word;
  llvm::Type *pointer;
  // The type of accesses, for the optimizer.
  llvm::MDNode *apart;
  llvm::GlobalVariable *counters = nullptr, *unit = nullptr;
  llvm::StructType *unit_type = nullptr;
  // Where a thread's next record goes, and where its window ends.
  llvm::GlobalVariable *cursor = nullptr, *limit = nullptr;

  // Of `struct unit` in runtime.h.
  enum Field { HASH, COUNTERS, COUNTER_COUNT, RANGES, RANGE_COUNT, BASE, TRACING, GLOBALS, GLOBAL_COUNT, NEXT };

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
// records.cpp: writes what the marks of a copy say into the trace. `names` counts the names of records that are taken.
void record(Emit &emit, llvm::Function &copy, std::vector<Region> &regions, unsigned &names);
// counting.cpp: counters of a function's blocks and branches, before anything else is added to it.
void count(Emit &emit, const Routine &routine);

} // namespace faultline
