// Values inside large expressions: which computations are observed in the exact body of their function.
//
// An expression is what a load's address, a store, a result, a branch or an argument of a call is computed from, within
// the function and through variables in registers. Where it has several operators, each of them is observed.
//
// Not observed is what shows no value of its own: conversions to wider types, addresses, and a part of an operation that is one
// operator in the source.

#include "plan.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace faultline {
namespace {

// Operators of an expression that is large.
constexpr unsigned SEVERAL = 3;

bool is_computed(const Node &node) { return node.instruction && (node.kind == Kind::Pure || node.kind == Kind::Phi); }

// What counts as an operator of the source. Conversions do not: most are implicit.
bool is_operator(const Instruction &instruction) {
  if (auto *part = dyn_cast<ExtractValueInst>(&instruction))
    return isa<WithOverflowInst>(part->getAggregateOperand()) && part->getIndices()[0] == 0;
  // Without the callee.
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return !isa<WithOverflowInst>(call) && call->arg_size() > 0;
  return isa<BinaryOperator>(instruction) || isa<UnaryOperator>(instruction) || isa<CmpInst>(instruction) ||
         isa<SelectInst>(instruction);
}

// Conversions that may change what a value is.
bool changes_value(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::FPTrunc:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return true;
  default:
    return false;
  }
}

// A part of what has one place in the source: `p - q` is a distance in bytes first, `!x` a comparison; and all of a macro.
bool is_part(const Instruction &instruction) {
  if (!instruction.hasOneUse())
    return false;
  auto *user = cast<Instruction>(*instruction.user_begin());
  const DILocation *here = instruction.getDebugLoc(), *there = user->getDebugLoc();
  return there && is_operator(*user) && here->getLine() == there->getLine() && here->getColumn() == there->getColumn();
}

// Which way a branch went is known already.
bool only_decides(const Instruction &instruction) {
  return all_of(instruction.users(), [](const User *user) { return isa<BranchInst>(user) || isa<SwitchInst>(user); });
}

// Addresses differ from run to run; only how far two are apart says something.
bool is_address(const Instruction &instruction) {
  auto from_pointer = [](const Value *operand) { return isa<PtrToIntInst>(operand); };
  bool is_distance = instruction.getOpcode() == Instruction::Sub && all_of(instruction.operands(), from_pointer);
  return !is_distance && any_of(instruction.operands(), from_pointer);
}

bool shows_value(const Instruction &instruction) {
  Type *type = instruction.getType();
  bool fits = (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isFloatTy() || type->isDoubleTy() ||
              type->isX86_FP80Ty();
  const DILocation *place = instruction.getDebugLoc();
  return fits && place && place->getLine() != 0 && (is_operator(instruction) || changes_value(instruction)) &&
         !only_decides(instruction) && !is_part(instruction) && !is_address(instruction);
}

class Choice {
public:
  explicit Choice(Routine &routine) : routine(routine), operators(routine.nodes.size()), inside(routine.nodes.size()) {}

  // The nodes of large expressions.
  std::vector<unsigned> run() {
    count_operators();
    for (unsigned index = 0; index < routine.nodes.size(); ++index)
      if (routine.nodes[index].instruction && !is_computed(routine.nodes[index]) && is_large(index))
        take(index);
    std::vector<unsigned> chosen;
    for (unsigned index = 0; index < routine.nodes.size(); ++index)
      if (inside[index] && routine.nodes[index].kind == Kind::Pure && shows_value(*routine.nodes[index].instruction))
        chosen.push_back(index);
    return chosen;
  }

private:
  // Some operators that a node is computed with: all, or several.
  using Some = SmallVector<unsigned, SEVERAL>;

  Routine &routine;
  std::vector<Some> operators;
  std::vector<bool> inside;

  template <typename F> void each_operand(unsigned index, F take) {
    for (const Value *operand : routine.nodes[index].instruction->operands()) {
      auto found = routine.node_of.find(operand);
      if (found != routine.node_of.end() && is_computed(routine.nodes[found->second]))
        take(found->second);
    }
  }

  static bool add(Some &some, unsigned one) {
    if (some.size() == SEVERAL || is_contained(some, one))
      return false;
    some.push_back(one);
    return true;
  }

  // Around loops, until nothing is new.
  void count_operators() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned index = 0; index < routine.nodes.size(); ++index) {
        if (!is_computed(routine.nodes[index]))
          continue;
        if (is_operator(*routine.nodes[index].instruction))
          changed |= add(operators[index], index);
        each_operand(index, [&](unsigned before) {
          for (unsigned one : operators[before])
            changed |= add(operators[index], one);
        });
      }
    }
  }

  bool is_large(unsigned root) {
    Some all;
    each_operand(root, [&](unsigned before) {
      for (unsigned one : operators[before])
        add(all, one);
    });
    return all.size() == SEVERAL;
  }

  void take(unsigned root) {
    std::vector<unsigned> open{root};
    while (!open.empty()) {
      unsigned index = open.back();
      open.pop_back();
      each_operand(index, [&](unsigned before) {
        if (!inside[before]) {
          inside[before] = true;
          open.push_back(before);
        }
      });
    }
  }
};

} // namespace

std::vector<unsigned> inside_expressions(Routine &routine) { return Choice(routine).run(); }

} // namespace faultline
