// Ranges of values: a comparison for each, and what makes a range wider where a value is outside.
//
// A range is two words. Of integers the least value and how far the greatest is from it, so that one comparison says whether
// there is something new; of floating point the least and the greatest, which no comparison holds for while there are none. Of
// pointers only nulls are counted, in the second word: how often the others came is known from the block. Of bytes, of which there
// are few, it is looked up which are inside.

#include "emit.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace faultline {
namespace {

Constant *least(Emit &emit, const Node &node) { return emit.element(emit.ranges, *node.range * 2); }

Constant *second(Emit &emit, const Node &node) { return emit.element(emit.ranges, *node.range * 2 + 1); }

// A value that only grows, as a position does, is outside each time: its range is made wider right here. The words are read
// again, or they would take registers where they are compared.
void grow(Emit &emit, Instruction *at, const Node &node, Value *value, Value *distance) {
  IRBuilder<> builder(at);
  auto again = [&](Constant *address) {
    LoadInst *it = emit.load(builder, emit.word, address);
    it->setVolatile(true);
    return it;
  };
  Value *above = builder.CreateICmpSGT(value, again(least(emit, node)));
  // No value of a smaller type is above that of a range without any, but with one value or none the width is nought.
  if (node.bits == 64)
    above = builder.CreateAnd(above, builder.CreateIsNotNull(again(second(emit, node))));
  Instruction *wider, *otherwise;
  SplitBlockAndInsertIfThenElse(above, at, &wider, &otherwise, MDBuilder(emit.context).createBranchWeights(2000, 1));
  IRBuilder<> then(wider), call(otherwise);
  emit.store(then, distance, second(emit, node));
  emit.widen("__faultline_widen", call, {least(emit, node), value});
}

// Where the value is known, or on the ways on which it is not observed later.
void observe(Emit &emit, const Node &node, Function &function) {
  auto [value, at] = Emit::observed(node, function);
  if (node.heirs.empty())
    return update_range(emit, node, value, at, Emit::Body::Quick);
  for (unsigned way = 0; way < node.end->getNumSuccessors(); ++way) {
    BasicBlock *next = node.end->getSuccessor(way);
    if (is_contained(node.heirs, next))
      continue;
    if (!next->getSinglePredecessor())
      next = SplitEdge(node.end->getParent(), next);
    update_range(emit, node, value, Emit::start(*next), Emit::Body::Quick);
  }
}

} // namespace

Instruction *rarely(Value *condition, Instruction *at) {
  return SplitBlockAndInsertIfThen(condition, at, false, MDBuilder(at->getContext()).createBranchWeights(1, 2000));
}

void update_range(Emit &emit, const Node &node, Value *value, Instruction *at, Emit::Body body) {
  IRBuilder<> builder(at);
  value = emit.some(builder, value);
  Constant *first = least(emit, node);
  if (node.order == Order::Pointer) {
    IRBuilder<> update(rarely(builder.CreateIsNull(value), at));
    emit.store(update, update.CreateAdd(emit.load(update, emit.word, second(emit, node)), emit.number(1)), second(emit, node));
  } else if (node.order == Order::Float) {
    Type *type = builder.getDoubleTy();
    value = builder.CreateFPCast(value, type);
    Value *below = builder.CreateFCmpULT(value, emit.load(builder, type, first));
    Value *above = builder.CreateFCmpUGT(value, emit.load(builder, type, second(emit, node)));
    IRBuilder<> outside(rarely(builder.CreateOr(below, above), at));
    emit.widen(body == Emit::Body::Quick ? "__faultline_widen_float" : "__faultline_widen_float_exact", outside, {first, value}, body);
  } else if (auto flags = emit.inside_of.find(*node.range); body == Emit::Body::Quick && flags != emit.inside_of.end()) {
    Constant *begin = emit.element(emit.inside, flags->second);
    Value *flag = builder.CreateInBoundsGEP(builder.getInt8Ty(), begin, builder.CreateZExt(value, emit.word));
    IRBuilder<> outside(rarely(builder.CreateIsNull(emit.load_byte(builder, flag)), at));
    emit.widen("__faultline_widen_byte", outside, {first, begin, emit.ordered(outside, node, value)});
  } else {
    value = emit.ordered(builder, node, value);
    Value *distance = builder.CreateSub(value, emit.load(builder, emit.word, first));
    Instruction *outside = rarely(builder.CreateICmpUGT(distance, emit.load(builder, emit.word, second(emit, node))), at);
    IRBuilder<> call(outside);
    if (body == Emit::Body::Quick)
      grow(emit, outside, node, value, distance);
    else
      emit.widen("__faultline_widen_exact", call, {first, value}, body);
  }
}

void add_ranges(Emit &emit, const Routine &routine, const std::vector<Bundle> &together) {
  SmallPtrSet<const Node *, 16> done;
  for (const Bundle &bundle : together) {
    observe(emit, bundle, *routine.function);
    done.insert(bundle.nodes.begin(), bundle.nodes.end());
  }
  for (const Node &node : routine.nodes) {
    if (node.range && !node.shares_range && !node.follows && !done.count(&node))
      observe(emit, node, *routine.function);
    for (CallBase *call : node.calls)
      update_range(emit, node, call->getArgOperand(node.argument->getArgNo()), call, Emit::Body::Quick);
  }
}

} // namespace faultline
