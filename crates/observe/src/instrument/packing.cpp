// Values of floating point that are compared with their ranges together: those of a block, in vectors, with one branch for
// all. A comparison that sets flags takes a processor as long as half of what a short loop does otherwise.
//
// Vectors need the ends of ranges side by side and in the type of the values, so there is a copy of them, the bounds: those of
// a vector are its lanes' least values, then their greatest. Where a value is outside of them, the runtime makes the
// range wider, which counts, and then the bounds; at first everything is outside.
//
// Values are compared at the end of their block, or before the next thing in it that need not return.

#include "emit.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace faultline {
namespace {

unsigned lanes_of(Type *type) { return type->isFloatTy() ? 4 : 2; }

bool may_end(const Instruction &it) { return it.isTerminator() || !isGuaranteedToTransferExecutionToSuccessor(&it); }

// What is observed there is known before it.
bool has_value_before(const Instruction &it) { return isa<StoreInst>(it) || isa<ReturnInst>(it); }

class Bundling {
public:
  Bundling(const Routine &routine, unsigned &bounds) : routine(routine), bounds(bounds) {}

  std::vector<Bundle> run() {
    for (const Segment &segment : routine.segments) {
      for (unsigned index = segment.first_node; index < segment.end_node && routine.nodes[index].argument; ++index)
        add(routine.nodes[index]);
      for (Instruction &instruction : *segment.block) {
        auto found = routine.node_of.find(&instruction);
        const Node *node = found == routine.node_of.end() ? nullptr : &routine.nodes[found->second];
        if (node && has_value_before(instruction))
          add(*node);
        if (may_end(instruction))
          close(instruction);
        if (node && !has_value_before(instruction))
          add(*node);
      }
    }
    return std::move(bundles);
  }

private:
  const Routine &routine;
  unsigned &bounds;
  std::vector<Bundle> bundles;
  // By their type, small ones first.
  std::vector<const Node *> open[2];

  void add(const Node &node) {
    if (node.range && !node.shares_range && !node.follows && node.order == Order::Float && node.heirs.empty() && node.bits <= 64)
      open[node.bits / 64].push_back(&node);
  }

  void close(Instruction &before) {
    Bundle bundle;
    bundle.before = &before;
    bundle.bounds = bounds;
    for (std::vector<const Node *> &nodes : open) {
      if (nodes.size() > 1)
        bundle.nodes.insert(bundle.nodes.end(), nodes.begin(), nodes.end());
      unsigned lanes = nodes.empty() || nodes[0]->bits == 64 ? 2 : 4;
      bounds += nodes.size() > 1 ? (nodes.size() + lanes - 1) / lanes * VECTOR_WORDS : 0;
      nodes.clear();
    }
    if (!bundle.nodes.empty())
      bundles.push_back(std::move(bundle));
  }
};

class Comparing {
public:
  Comparing(Emit &emit, const Bundle &bundle, Function &function) : emit(emit), bundle(bundle), function(function) {}

  void run() {
    IRBuilder<> builder(bundle.before);
    Value *outside = nullptr;
    unsigned bounds = bundle.bounds;
    for (unsigned index = 0; index < bundle.nodes.size();) {
      Type *type = value_of(index)->getType();
      unsigned end = index + 1;
      while (end < bundle.nodes.size() && end - index < lanes_of(type) && value_of(end)->getType() == type)
        ++end;
      Value *here = compare(builder, index, end, bounds);
      outside = outside ? builder.CreateOr(outside, here) : here;
      index = end;
      bounds += VECTOR_WORDS;
    }
    MDNode *rare = MDBuilder(emit.context).createBranchWeights(1, 2000);
    Instruction *then = SplitBlockAndInsertIfThen(outside, bundle.before, false, rare);
    for (const Lane &lane : lanes)
      widen(lane, then);
  }

private:
  struct Lane {
    const Node *node;
    Value *value;
    Constant *least, *greatest;
  };

  Emit &emit;
  const Bundle &bundle;
  Function &function;
  std::vector<Lane> lanes;

  Value *value_of(unsigned index) const { return Emit::observed(*bundle.nodes[index], function).first; }

  // Whether one of some values is outside. Lanes that are left have the first value, too.
  Value *compare(IRBuilder<> &builder, unsigned begin, unsigned end, unsigned bounds) {
    Type *type = value_of(begin)->getType();
    unsigned width = lanes_of(type);
    auto *vector = FixedVectorType::get(type, width);
    Value *values = PoisonValue::get(vector);
    for (unsigned lane = 0; lane < width; ++lane) {
      unsigned index = begin + lane < end ? begin + lane : begin;
      values = builder.CreateInsertElement(values, value_of(index), uint64_t(lane));
      lanes.push_back({bundle.nodes[index], value_of(index), lane_of(type, bounds, lane), lane_of(type, bounds, width + lane)});
    }
    values = emit.some(builder, values);
    Value *least = emit.load_vector(builder, vector, emit.element(emit.bounds, bounds));
    Value *greatest = emit.load_vector(builder, vector, emit.element(emit.bounds, bounds + VECTOR_WORDS / 2));
    Value *either = builder.CreateOr(builder.CreateFCmpULT(values, least), builder.CreateFCmpUGT(values, greatest));
    Type *mask = builder.getIntNTy(width);
    return builder.CreateICmpNE(builder.CreateBitCast(either, mask), ConstantInt::get(mask, 0));
  }

  Constant *lane_of(Type *type, unsigned bounds, unsigned lane) {
    return ConstantExpr::getInBoundsGetElementPtr(type, emit.element(emit.bounds, bounds), emit.number(lane));
  }

  void widen(const Lane &lane, Instruction *at) {
    IRBuilder<> builder(at);
    Type *type = lane.value->getType();
    Value *value = emit.some(builder, lane.value);
    Value *below = builder.CreateFCmpULT(value, emit.load_number(builder, type, lane.least));
    Value *above = builder.CreateFCmpUGT(value, emit.load_number(builder, type, lane.greatest));
    Instruction *then = SplitBlockAndInsertIfThen(builder.CreateOr(below, above), at, false);
    IRBuilder<> call(then);
    value = call.CreateFPCast(value, call.getDoubleTy());
    const char *name = type->isFloatTy() ? "__faultline_widen_single" : "__faultline_widen_double";
    emit.widen(name, call, {emit.element(emit.ranges, *lane.node->range * 2), lane.least, value});
  }
};

} // namespace

std::vector<Bundle> bundle(const Routine &routine, unsigned &bounds) { return Bundling(routine, bounds).run(); }

void observe(Emit &emit, const Bundle &bundle, Function &function) { Comparing(emit, bundle, function).run(); }

} // namespace faultline
