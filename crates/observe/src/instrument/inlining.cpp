// Small functions are put where they are called, as they would be without hooks, which make them too large for the optimizer: it
// would no longer see what follows from constant arguments. The calls are marked, and then it does so in any case.

#include "emit.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace faultline {
namespace {

// The optimizer's own limit is three times as high. But it does not have hooks to copy: with more, programs take longer to
// compile and are no faster.
constexpr int LARGEST = 75;

// Callees before callers.
class Inlining {
public:
  explicit Inlining(const Plan &plan) {
    PassBuilder().registerFunctionAnalyses(functions);
    for (const Routine &routine : plan.routines)
      hooked.insert(routine.function);
    parameters.DefaultThreshold = LARGEST;
  }

  void visit(Function &function) {
    if (!seen.insert(&function).second)
      return;
    SmallVector<CallBase *, 16> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction() && hooked.count(call->getCalledFunction()))
        calls.push_back(call);
    for (CallBase *call : calls)
      visit(*call->getCalledFunction());
    int more = 0;
    for (CallBase *call : calls)
      if (std::optional<int> cost = cost_of(*call)) {
        call->addFnAttr(Attribute::AlwaysInline);
        more += *cost;
      }
    grown[&function] = more;
    finished.insert(&function);
  }

private:
  InlineParams parameters = getInlineParams(1, 0);
  FunctionAnalysisManager functions;
  SmallPtrSet<const Function *, 16> hooked, seen, finished;
  // By how much what was put into a function has made it larger.
  DenseMap<const Function *, int> grown;

  // Of what is put in a call's place, if it would have been.
  std::optional<int> cost_of(CallBase &call) {
    Function &callee = *call.getCalledFunction();
    if (!finished.count(&callee) || callee.isVarArg() || call.isNoInline())
      return std::nullopt;
    auto assumptions = [&](Function &it) -> AssumptionCache & { return functions.getResult<AssumptionAnalysis>(it); };
    auto library = [&](Function &it) -> const TargetLibraryInfo & { return functions.getResult<TargetLibraryAnalysis>(it); };
    InlineCost cost =
        getInlineCost(call, parameters, functions.getResult<TargetIRAnalysis>(callee), assumptions, library);
    if (cost.isAlways())
      return grown[&callee];
    if (!cost.isVariable() || cost.getCost() + grown[&callee] >= cost.getThreshold())
      return std::nullopt;
    return std::max(cost.getCost(), 0) + grown[&callee];
  }
};

} // namespace

void mark_inlined(const Plan &plan) {
  Inlining inlining(plan);
  for (const Routine &routine : plan.routines)
    inlining.visit(*routine.function);
}

} // namespace faultline
