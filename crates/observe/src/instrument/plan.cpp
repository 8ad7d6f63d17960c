// Numbers everything that will be observed, and says how.

#include "plan.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace faultline {
namespace {

// C's types do not survive, but operations tell what was meant. +1 signed, -1 unsigned.
int hint(const Instruction &user) {
  switch (user.getOpcode()) {
  case Instruction::SExt:
  case Instruction::SDiv:
  case Instruction::SRem:
  case Instruction::AShr:
  case Instruction::SIToFP:
    return 1;
  case Instruction::ZExt:
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::LShr:
  case Instruction::UIToFP:
    return -1;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return cast<OverflowingBinaryOperator>(user).hasNoSignedWrap() ? 1 : 0;
  case Instruction::ICmp: {
    auto &compare = cast<ICmpInst>(user);
    return compare.isSigned() ? 1 : compare.isUnsigned() ? -1 : 0;
  }
  default:
    return 0;
  }
}

const DIType *plain(const DIType *type) {
  while (auto *other = dyn_cast_or_null<DIDerivedType>(type)) {
    unsigned tag = other->getTag();
    if (tag != dwarf::DW_TAG_typedef && tag != dwarf::DW_TAG_const_type && tag != dwarf::DW_TAG_volatile_type)
      return other;
    type = other->getBaseType();
  }
  return type;
}

// As declared: of the result, or of a parameter, if each has one argument. Null if that is not known, as of `void`.
const DIType *declared(const Function &function, unsigned index) {
  const DISubprogram *known = function.getSubprogram();
  const DISubroutineType *type = known ? known->getType() : nullptr;
  bool is_plain = type && (index == 0 || type->getTypeArray().size() == function.arg_size() + 1);
  return is_plain && index < type->getTypeArray().size() ? plain(type->getTypeArray()[index]) : nullptr;
}

// Several members of a structure at once, that is passed in a register.
bool is_structure(const Function &function, unsigned index) {
  if (index > 0 && function.getArg(index - 1)->getName().contains(".coerce"))
    return true;
  auto *type = dyn_cast_or_null<DICompositeType>(declared(function, index));
  return type && (type->getTag() == dwarf::DW_TAG_structure_type || type->getTag() == dwarf::DW_TAG_union_type ||
                  type->getTag() == dwarf::DW_TAG_class_type);
}

// Of a variable that is accessed by its name.
const DIType *declared(const Value *variable) {
  if (auto *global = dyn_cast<GlobalVariable>(variable)) {
    SmallVector<DIGlobalVariableExpression *, 1> known;
    global->getDebugInfo(known);
    return known.size() == 1 ? plain(known[0]->getVariable()->getType()) : nullptr;
  }
  if (!isa<AllocaInst>(variable))
    return nullptr;
  auto *place = const_cast<Value *>(variable);
  for (const DbgVariableRecord *known : findDVRDeclares(place))
    return plain(known->getVariable()->getType());
  for (const DbgDeclareInst *known : findDbgDeclares(place))
    return plain(known->getVariable()->getType());
  return nullptr;
}

// For (negative) or against (positive) a value without a sign; nought if nothing says. What is sure has all votes.
constexpr int SURE = 1 << 20;

int votes_of(const DIType *declared) {
  auto *type = dyn_cast_or_null<DIBasicType>(declared);
  std::optional<DIBasicType::Signedness> sign = type ? type->getSignedness() : std::nullopt;
  return !sign ? 0 : *sign == DIBasicType::Signedness::Unsigned ? -SURE : SURE;
}

int votes(const Value *value) {
  if (auto *argument = dyn_cast<Argument>(value)) {
    if (int sure = votes_of(declared(*argument->getParent(), argument->getArgNo() + 1)))
      return sure;
    if (argument->hasSExtAttr())
      return SURE;
    if (argument->hasZExtAttr())
      return -SURE;
  }
  if (isa<ZExtInst>(value))
    return -SURE;
  if (isa<SExtInst>(value))
    return SURE;
  if (value->getType()->getIntegerBitWidth() == 1)
    return -SURE;
  int votes = 0;
  for (const User *user : value->users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      votes += hint(*instruction);
  if (auto *instruction = dyn_cast<Instruction>(value))
    votes += hint(*instruction);
  return votes;
}

} // namespace

bool set_type(Node &node, const Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy()) {
    node.order = Order::Pointer;
    node.bits = 64;
  } else if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) {
    node.order = votes(value) < 0 ? Order::Unsigned : Order::Signed;
    node.bits = type->getIntegerBitWidth();
  } else if (type->isFloatTy() || type->isDoubleTy() || type->isX86_FP80Ty()) {
    node.order = Order::Float;
    node.bits = type->getPrimitiveSizeInBits();
  } else {
    return false;
  }
  return true;
}

namespace {

class Planner {
public:
  Planner(Plan &plan, const std::vector<Function *> &functions) : plan(plan), wraps(none_of(functions, has_signed)) {
    for (const Function *function : functions)
      for (const Instruction &it : instructions(*function))
        if (auto *load = dyn_cast<LoadInst>(&it); load && load->getType()->isIntegerTy())
          if (std::optional<Member> member = member_of(load->getPointerOperand()))
            members[*member] += votes(load);
  }

  void add(Function &function) {
    Routine &routine = plan.routines.emplace_back();
    routine.function = &function;
    routine.is_library = is_of_library(function);
    for (Argument &argument : function.args()) {
      routine.node_of[&argument] = routine.nodes.size();
      Node &node = routine.nodes.emplace_back();
      node.kind = Kind::Argument;
      node.argument = &argument;
      if (!is_structure(function, argument.getArgNo() + 1))
        observe(routine, node, &argument);
    }
    for (BasicBlock &block : function) {
      routine.segment_of[&block] = routine.segments.size();
      add_segment(routine, block);
    }
    if (routine.is_library)
      return;
    choose_counters(plan, routine);
    sink(routine);
    for (unsigned index : inside_expressions(routine)) {
      Node &node = routine.nodes[index];
      set_type(node, node.instruction);
      if (is_unsigned_arithmetic(*node.instruction))
        node.order = Order::Unsigned;
      node.inner = plan.inner++;
    }
  }

private:
  Plan &plan;
  // Signed arithmetic is not told from unsigned: with -fwrapv, or there is none.
  bool wraps;
  // A member of a structure, or a variable: what is read of it is used as its type says, also where nothing else tells of a value
  // that is written.
  using Member = std::pair<const void *, uint64_t>;
  DenseMap<Member, int> members;

  static std::optional<Member> member_of(const Value *address) {
    if (isa<GlobalVariable>(address))
      return Member(address, 0);
    auto *step = dyn_cast<GEPOperator>(address);
    auto *last = step ? dyn_cast<ConstantInt>(step->getOperand(step->getNumOperands() - 1)) : nullptr;
    bool is_member = last && step->getNumIndices() == 2 && step->getSourceElementType()->isStructTy();
    return is_member ? std::optional(Member(step->getSourceElementType(), last->getZExtValue())) : std::nullopt;
  }

  static bool is_arithmetic(const Instruction &it) {
    return it.getOpcode() == Instruction::Add || it.getOpcode() == Instruction::Sub || it.getOpcode() == Instruction::Mul;
  }

  static bool has_signed(const Function *function) {
    return any_of(instructions(*function), [](const Instruction &it) {
      return isa<WithOverflowInst>(it) || (is_arithmetic(it) && it.hasNoSignedWrap());
    });
  }

  // In C, signed arithmetic does not wrap, and that of small types is done in `int`.
  bool is_unsigned_arithmetic(const Instruction &it) const {
    return !wraps && is_arithmetic(it) && !it.hasNoSignedWrap() && it.getType()->getIntegerBitWidth() >= 32 &&
           none_of(it.operands(), [](const Value *operand) { return isa<PtrToIntInst>(operand); });
  }

  // The call that a block begins behind: one that ends the block before, or one that may throw.
  static CallBase *done_before(BasicBlock &block, CallInst *before) {
    BasicBlock *from = block.getSinglePredecessor();
    auto *invoke = from ? dyn_cast<InvokeInst>(from->getTerminator()) : nullptr;
    return invoke && invoke->getNormalDest() == &block ? invoke : static_cast<CallBase *>(before);
  }

  // A part behind a call has one predecessor, which ends with that call and a plain jump.
  static CallInst *call_before(BasicBlock &block) {
    BasicBlock *before = block.getSinglePredecessor();
    if (!before || !isa<BranchInst>(before->getTerminator()) || before->getSingleSuccessor() != &block)
      return nullptr;
    auto *last = before->getTerminator()->getPrevNode();
    auto *call = dyn_cast_or_null<CallInst>(last);
    return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() ? call : nullptr;
  }

  void add_segment(Routine &routine, BasicBlock &block) {
    Segment segment;
    segment.block = &block;
    segment.number = plan.segments++;
    segment.first_node = routine.segments.empty() ? 0 : routine.nodes.size();
    CallInst *before = call_before(block);
    segment.continues = before != nullptr;
    // Splitting puts the rest right behind.
    segment.counter = before ? routine.segments[routine.segment_of[before->getParent()]].counter : plan.counters++;
    CallBase *done = done_before(block, before);
    for (Instruction &instruction : block) {
      if (done && !isa<PHINode>(instruction)) {
        add_effect(routine, *done);
        done = nullptr;
      }
      add_node(routine, instruction);
    }
    segment.end_node = routine.nodes.size();
    share(plan, routine, segment);
    for (unsigned index = segment.first_node; index < segment.end_node; ++index) {
      const Node &node = routine.nodes[index];
      if (node.kind == Kind::Load || node.kind == Kind::Store)
        segment.words += node.accesses[0].place == Place::Own;
      else
        segment.words += node.accesses.size() * 2;
    }
    routine.segments.push_back(segment);
  }

  static void add_effect(Routine &routine, CallBase &call) {
    std::vector<Access> before, after;
    library_accesses(call, !routine.is_library, before, after);
    if (after.empty())
      return;
    Node &node = routine.nodes.emplace_back();
    node.kind = Kind::Effect;
    node.instruction = &call;
    node.call = &call;
    node.accesses = std::move(after);
  }

  void add_node(Routine &routine, Instruction &instruction) {
    if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd() || isa<UnreachableInst>(instruction))
      return;
    if (auto *branch = dyn_cast<BranchInst>(&instruction); branch && branch->isUnconditional())
      return;
    routine.node_of[&instruction] = routine.nodes.size();
    Node &node = routine.nodes.emplace_back();
    node.instruction = &instruction;
    const DataLayout &layout = instruction.getModule()->getDataLayout();
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      node.kind = Kind::Load;
      node.accesses.push_back(plain_access(false, load->getPointerOperand(), layout.getTypeStoreSize(load->getType())));
      observe_access(routine, node, load);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      node.kind = Kind::Store;
      Value *value = store->getValueOperand();
      node.accesses.push_back(plain_access(true, store->getPointerOperand(), layout.getTypeStoreSize(value->getType())));
      observe_access(routine, node, value);
    } else if (auto *result = dyn_cast<ReturnInst>(&instruction)) {
      node.kind = Kind::Return;
      if (result->getReturnValue() && !is_structure(*routine.function, 0) && !instruction.getParent()->getTerminatingMustTailCall())
        observe(routine, node, result->getReturnValue());
    } else if (auto *call = dyn_cast<CallBase>(&instruction)) {
      add_call(routine, node, *call);
    } else if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) {
      add_atomic(node, instruction, layout);
    } else if (isa<PHINode>(instruction)) {
      node.kind = Kind::Phi;
    } else if (isa<AllocaInst>(instruction)) {
      node.kind = Kind::Alloca;
    } else if (isa<SwitchInst>(instruction)) {
      node.kind = Kind::Switch;
    } else if (instruction.isTerminator()) {
      node.kind = Kind::Branch;
    }
  }

  static Access plain_access(bool write, Value *address, uint64_t size) {
    Access access;
    access.write = write;
    access.address = address;
    access.fixed = size;
    return access;
  }

  // Reads and writes at once: a call without a name.
  static void add_atomic(Node &node, Instruction &instruction, const DataLayout &layout) {
    node.kind = Kind::Call;
    Value *address = instruction.getOperand(0);
    uint64_t size = layout.getTypeStoreSize(instruction.getOperand(1)->getType());
    node.accesses.push_back(plain_access(false, address, size));
    node.accesses.push_back(plain_access(true, address, size));
  }

  void add_call(const Routine &routine, Node &node, CallBase &call) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
    if (intrinsic && !isa<MemIntrinsic>(intrinsic))
      return;
    node.kind = Kind::Call;
    std::vector<Access> after;
    library_accesses(call, !routine.is_library, node.accesses, after);
    Function *callee = call.getCalledFunction();
    bool elsewhere = !intrinsic && (!callee || callee->isDeclarationForLinker() || is_of_library(*callee));
    // Where an `invoke` goes on, it is not in the block that compares values of floating point together.
    bool has_value = isa<CallInst>(call) ? !call.isMustTailCall() : isa<InvokeInst>(call) && !call.getType()->isFloatingPointTy();
    if (elsewhere && has_value && !call.getType()->isVoidTy())
      observe(routine, node, &call);
  }

  void observe_access(const Routine &routine, Node &node, Value *value) {
    Field field = field_of(*node.instruction);
    if (!field.is_one)
      return observe(routine, node, value);
    node.field = field.value;
    if (field.value)
      observe(routine, node, field.value);
  }

  void observe(const Routine &routine, Node &node, Value *value) {
    if (routine.is_library)
      return;
    auto *same = dyn_cast<FreezeInst>(value);
    if (isa<Constant>(value) || (same && isa<Constant>(same->getOperand(0))))
      return;
    if (is_never_null(value))
      return;
    node.observed = set_type(node, value);
    bool is_accessed = (node.kind == Kind::Load || node.kind == Kind::Store) && value->getType()->isIntegerTy();
    if (int sure = is_accessed ? votes_of(declared(node.accesses[0].address)) : 0)
      node.order = sure < 0 ? Order::Unsigned : Order::Signed;
    else if (std::optional<Member> member = is_accessed && votes(value) == 0 ? member_of(node.accesses[0].address) : std::nullopt)
      node.order = members.lookup(*member) < 0 ? Order::Unsigned : Order::Signed;
  }
};

} // namespace

Plan make_plan(Module &module, const std::vector<Function *> &functions) {
  Plan plan;
  plan.routines.reserve(functions.size());
  Planner planner(plan, functions);
  for (Function *function : functions)
    planner.add(*function);
  ask_callers(plan);
  return plan;
}

} // namespace faultline
