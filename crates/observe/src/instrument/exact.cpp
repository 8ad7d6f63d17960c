// The exact body of a function: it counts every block where it begins and observes every value where it is known, so that all
// is told of a run that crashes; and it observes what is inside of large expressions. It is for runs that fail and for a second
// round, so it is made small and not fast, and the optimizer leaves it alone: that would be a fifth of what compiling takes.

#include "emit.h"

using namespace llvm;

namespace faultline {
namespace {

class Exact {
public:
  Exact(Emit &emit, const Routine &routine) : emit(emit), routine(routine), body(copy_of(*routine.function, copies)) {}

  Function *make() {
    emit.shape_copy(*routine.function, *body, ".exact");
    body->addFnAttr(Attribute::Cold);
    body->removeFnAttr(Attribute::OptimizeForSize);
    body->removeFnAttr(Attribute::MinSize);
    body->addFnAttr(Attribute::OptimizeNone);
    for (const Segment &segment : routine.segments)
      count(segment, *cast<BasicBlock>(copies[segment.block]));
    for (const Node &node : routine.nodes) {
      if (node.range && !node.shares_range) {
        auto [value, at] = Emit::observed(node, *routine.function);
        // Behind what is counted.
        Instruction *before = node.argument ? Emit::start(body->getEntryBlock()) : cast<Instruction>(copied(at));
        update_range(emit, node, copied(value), before, Emit::Body::Exact);
      }
      if (node.inner)
        observe_inside(node);
    }
    return body;
  }

private:
  Emit &emit;
  const Routine &routine;
  ValueToValueMapTy copies;
  Function *body;

  Value *copied(Value *value) {
    auto found = copies.find(value);
    return found == copies.end() ? value : static_cast<Value *>(found->second);
  }

  void count(const Segment &segment, BasicBlock &block) {
    if (!segment.continues)
      increment(emit, segment.counter, Emit::start(block));
    for (unsigned way = 0; way < block.getTerminator()->getNumSuccessors(); ++way)
      if (auto found = segment.ways.find(way); found != segment.ways.end())
        increment(emit, found->second, on_way(*block.getTerminator(), way));
  }

  void observe_inside(const Node &node) {
    Value *value = copied(node.instruction);
    IRBuilder<> builder(cast<Instruction>(value)->getNextNode());
    Constant *range = emit.element(emit.inner, *node.inner * 2);
    if (node.order == Order::Float)
      emit.widen("__faultline_widen_float_exact", builder, {range, builder.CreateFPCast(value, builder.getDoubleTy())}, Emit::Body::Exact);
    else
      emit.widen("__faultline_widen_exact", builder, {range, emit.ordered(builder, node, value)}, Emit::Body::Exact);
  }
};

} // namespace

Function *observe_exactly(Emit &emit, const Routine &routine) { return Exact(emit, routine).make(); }

} // namespace faultline
