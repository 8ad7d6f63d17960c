// Words as sums, where the marks of a copy are turned into records: two words of one record whose sums differ by a constant
// only need one of them to be written. Unlike in `words.cpp`, small functions have been put where they are called and
// what is loaded twice is one value, so that a value is the same only if it is the same one: in a record, none changes.

#include "emit.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Operator.h"

#include <map>

using namespace llvm;

namespace faultline {
namespace {

Value *thawed(Value *value) {
  while (auto *same = dyn_cast<FreezeInst>(value))
    value = same->getOperand(0);
  return value;
}

class Summing {
public:
  explicit Summing(const DataLayout &layout) : layout(layout) {}

  Sum run(Value *word) {
    word = thawed(word);
    if (auto *number = dyn_cast<ConstantInt>(word))
      return {{}, number->getSExtValue()};
    auto *address = dyn_cast<PtrToIntOperator>(word);
    if (!address)
      return {{uintptr_t(word)}, 0};
    MapVector<Value *, APInt> variables;
    APInt constant(64, 0);
    Value *base = thawed(address->getPointerOperand());
    while (auto *step = dyn_cast<GEPOperator>(base)) {
      if (!step->collectOffset(layout, 64, variables, constant))
        break;
      base = thawed(step->getPointerOperand());
    }
    Sum sum{{uintptr_t(base)}, constant.getSExtValue()};
    for (auto &[variable, factor] : variables)
      add(thawed(variable), factor.getZExtValue(), sum.constant);
    for (auto [variable, factor] : factors)
      if (factor)
        sum.key.insert(sum.key.end(), {variable.first, variable.second, uintptr_t(factor)});
    return sum;
  }

private:
  const DataLayout &layout;
  // By the value and how it is made wider.
  std::map<std::pair<uintptr_t, uintptr_t>, uint64_t> factors;

  // `i + 1` is `i` and a constant, unless it may overflow.
  void add(Value *variable, uint64_t factor, int64_t &constant) {
    uintptr_t wider = 0;
    Value *inner = variable;
    if (isa<SExtInst>(variable) || isa<ZExtInst>(variable)) {
      wider = cast<CastInst>(variable)->getOpcode();
      inner = thawed(cast<CastInst>(variable)->getOperand(0));
    }
    auto *sum = dyn_cast<BinaryOperator>(inner);
    auto *number = sum ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
    unsigned opcode = number ? sum->getOpcode() : 0;
    if ((opcode == Instruction::Add || opcode == Instruction::Sub) && is_exact(*sum, wider)) {
      uint64_t more = factor * uint64_t(wider == Instruction::ZExt ? number->getZExtValue() : number->getSExtValue());
      constant = int64_t(opcode == Instruction::Add ? uint64_t(constant) + more : uint64_t(constant) - more);
      inner = thawed(sum->getOperand(0));
    }
    factors[{uintptr_t(inner), inner->getType()->getIntegerBitWidth() < 64 ? wider : 0}] += factor;
  }

  static bool is_exact(const BinaryOperator &sum, uintptr_t wider) {
    if (!wider)
      return sum.getType()->getIntegerBitWidth() == 64;
    return wider == Instruction::SExt ? sum.hasNoSignedWrap() : sum.hasNoUnsignedWrap();
  }
};

} // namespace

Sum sum_of(Value *word, const DataLayout &layout) { return Summing(layout).run(word); }

} // namespace faultline
