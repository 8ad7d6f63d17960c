// Bit-fields. A load of one reads the whole unit of memory, with the fields beside it, which may never have been written; a store reads
// the unit first and writes all of it. What the program means is the part that is cut out or put in, which clang names: `bf.load`,
// then `bf.lshr`, `bf.clear`, `bf.cast`; or `bf.value`, `bf.shl` and the unit's own `bf.clear`, then `bf.set`.

#include "plan.h"

using namespace llvm;

namespace faultline {
namespace {

bool is_named(const Value &value, StringRef name) { return value.getName().starts_with(name); }

// The next step of what clang does with a unit, if it is one.
Instruction *next_step(Instruction &step) {
  for (User *user : step.users())
    if (is_named(*user, "bf."))
      return dyn_cast<Instruction>(user);
  return nullptr;
}

Field read(LoadInst &load) {
  Instruction *part = &load;
  while (Instruction *next = next_step(*part)) {
    if (is_named(*next, "bf.set"))
      return {true, nullptr};
    if (next->getParent() != load.getParent())
      break;
    part = next;
  }
  return {true, part};
}

Field written(Instruction &unit) {
  for (Value *part : unit.operands())
    if (!is_named(*part, "bf.clear"))
      return {true, is_named(*part, "bf.shl") ? cast<Instruction>(part)->getOperand(0) : part};
  return {true, nullptr};
}

} // namespace

Field field_of(Instruction &access) {
  if (auto *load = dyn_cast<LoadInst>(&access))
    return is_named(*load, "bf.load") ? read(*load) : Field();
  auto *unit = dyn_cast<Instruction>(cast<StoreInst>(access).getValueOperand());
  return unit && is_named(*unit, "bf.set") ? written(*unit) : Field();
}

} // namespace faultline
