// What LLVM's C interface does not tell: the contents of debug-information nodes and of wide constants.
// Every function takes and returns LLVM-C handles or plain integers; none keeps state.

#include "llvm-c/Core.h"
#include "llvm-c/DebugInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {
Metadata *node(LLVMMetadataRef handle) { return unwrap(handle); }
LLVMMetadataRef handle(Metadata *node) { return wrap(node); }
void words(const APInt &bits, uint64_t *low, uint64_t *high) {
  *low = bits.getRawData()[0];
  *high = bits.getNumWords() > 1 ? bits.getRawData()[1] : 0;
}
} // namespace

extern "C" {

unsigned fl_type_encoding(LLVMMetadataRef type) {
  auto *basic = dyn_cast_or_null<DIBasicType>(node(type));
  return basic ? basic->getEncoding() : 0;
}

LLVMMetadataRef fl_base_type(LLVMMetadataRef type) {
  Metadata *md = node(type);
  if (auto *derived = dyn_cast_or_null<DIDerivedType>(md))
    return handle(derived->getRawBaseType());
  if (auto *composite = dyn_cast_or_null<DICompositeType>(md))
    return handle(composite->getRawBaseType());
  return nullptr;
}

// The list inside a composite type (members, enumerators, subranges) or a function type (result first).
LLVMMetadataRef fl_elements(LLVMMetadataRef type) {
  Metadata *md = node(type);
  if (auto *composite = dyn_cast_or_null<DICompositeType>(md))
    return handle(composite->getRawElements());
  if (auto *function = dyn_cast_or_null<DISubroutineType>(md))
    return handle(function->getRawTypeArray());
  return nullptr;
}

unsigned fl_operand_count(LLVMMetadataRef list) {
  auto *tuple = dyn_cast_or_null<MDNode>(node(list));
  return tuple ? tuple->getNumOperands() : 0;
}

LLVMMetadataRef fl_operand(LLVMMetadataRef list, unsigned index) {
  return handle(cast<MDNode>(node(list))->getOperand(index).get());
}

const char *fl_name(LLVMMetadataRef md, size_t *length) {
  StringRef name;
  Metadata *n = node(md);
  if (auto *type = dyn_cast_or_null<DIType>(n))
    name = type->getName();
  else if (auto *variable = dyn_cast_or_null<DIVariable>(n))
    name = variable->getName();
  else if (auto *function = dyn_cast_or_null<DISubprogram>(n))
    name = function->getName();
  else if (auto *enumerator = dyn_cast_or_null<DIEnumerator>(n))
    name = enumerator->getName();
  *length = name.size();
  return name.data();
}

void fl_enumerator_value(LLVMMetadataRef md, uint64_t *low, uint64_t *high, bool *is_unsigned) {
  auto *enumerator = cast<DIEnumerator>(node(md));
  APInt value = enumerator->getValue();
  *is_unsigned = enumerator->isUnsigned();
  words(*is_unsigned ? value.zextOrTrunc(128) : value.sextOrTrunc(128), low, high);
}

bool fl_subrange_count(LLVMMetadataRef md, int64_t *count) {
  auto *range = dyn_cast_or_null<DISubrange>(node(md));
  if (!range)
    return false;
  auto bound = range->getCount();
  auto *constant = dyn_cast_if_present<ConstantInt *>(bound);
  if (!constant)
    return false;
  *count = constant->getSExtValue();
  return true;
}

bool fl_is_bit_field(LLVMMetadataRef md) {
  auto *member = dyn_cast_or_null<DIDerivedType>(node(md));
  return member && member->isBitField();
}

LLVMMetadataRef fl_variable_type(LLVMMetadataRef md) {
  auto *variable = dyn_cast_or_null<DIVariable>(node(md));
  return variable ? handle(variable->getRawType()) : nullptr;
}

LLVMMetadataRef fl_function_type(LLVMMetadataRef md) {
  auto *function = dyn_cast_or_null<DISubprogram>(node(md));
  return function ? handle(function->getRawType()) : nullptr;
}

unsigned fl_function_line(LLVMMetadataRef md) {
  auto *function = dyn_cast_or_null<DISubprogram>(node(md));
  return function ? function->getLine() : 0;
}

// The scope around a lexical block; null for a function.
LLVMMetadataRef fl_parent_scope(LLVMMetadataRef md) {
  auto *block = dyn_cast_or_null<DILexicalBlockBase>(node(md));
  return block ? handle(block->getScope()) : nullptr;
}

LLVMMetadataRef fl_global_variable(LLVMMetadataRef md) {
  auto *expression = dyn_cast_or_null<DIGlobalVariableExpression>(node(md));
  return expression ? handle(expression->getVariable()) : nullptr;
}

// Whether the instruction declares a variable that lives at `address` itself (no computed location).
bool fl_declare(LLVMValueRef instruction, LLVMValueRef *address, LLVMMetadataRef *variable, LLVMMetadataRef *location) {
  auto *declare = dyn_cast<DbgDeclareInst>(unwrap(instruction));
  if (!declare || !declare->getAddress() || declare->getExpression()->getNumElements() != 0)
    return false;
  *address = wrap(declare->getAddress());
  *variable = handle(declare->getVariable());
  *location = handle(declare->getDebugLoc().getAsMDNode());
  return true;
}

bool fl_is_debug_instruction(LLVMValueRef instruction) { return isa<DbgInfoIntrinsic>(unwrap(instruction)); }

void fl_int_bits(LLVMValueRef value, uint64_t *low, uint64_t *high) {
  words(unwrap<ConstantInt>(value)->getValue(), low, high);
}

// The words of an integer constant; they live as long as the constant.
const uint64_t *fl_int_words(LLVMValueRef value, size_t *count) {
  const APInt &bits = unwrap<ConstantInt>(value)->getValue();
  *count = bits.getNumWords();
  return bits.getRawData();
}

void fl_float_bits(LLVMValueRef value, uint64_t *low, uint64_t *high) {
  words(unwrap<ConstantFP>(value)->getValueAPF().bitcastToAPInt(), low, high);
}

// The bytes of a constant array or vector of plain numbers.
const char *fl_raw_bytes(LLVMValueRef value, size_t *length) {
  StringRef bytes = unwrap<ConstantDataSequential>(value)->getRawDataValues();
  *length = bytes.size();
  return bytes.data();
}
}
