// Arguments that are observed where they are handed over. A function that only its own unit calls, and by its name, has all its
// values from calls that are known: where a call hands over what has just been observed, or follows from it, nothing is left to
// compare, and only before the other calls it is. The table says whose ranges are also an argument's.

#include "plan.h"

using namespace llvm;

namespace faultline {
namespace {

// With more calls than this, the code for them would be long.
constexpr unsigned MOST_CALLS = 24;

class Asking {
public:
  explicit Asking(Plan &plan) : plan(plan), owners(plan.ranges) {
    for (Routine &routine : plan.routines) {
      routines[routine.function] = &routine;
      for (Node &node : routine.nodes)
        if (node.range && !node.shares_range)
          owners[*node.range] = &node;
    }
  }

  void run() {
    for (Routine &routine : plan.routines)
      if (!routine.is_library && is_called_here_only(*routine.function) && find_calls(*routine.function))
        for (unsigned index = 0; index < routine.function->arg_size(); ++index)
          ask(routine.nodes[index]);
  }

private:
  Plan &plan;
  DenseMap<const Function *, Routine *> routines;
  // Of each range, the node that it belongs to.
  std::vector<Node *> owners;
  // The calls of a function, and what they hand over.
  std::vector<std::pair<CallBase *, const std::vector<Handed> *>> calls;

  // False if what one of them hands over is not known.
  bool find_calls(Function &function) {
    calls.clear();
    for (User *user : function.users()) {
      auto *call = cast<CallBase>(user);
      Routine *caller = routines.lookup(call->getFunction());
      auto found = caller ? caller->handed.find(call) : decltype(caller->handed.find(call))();
      if (!caller || caller->is_library || found == caller->handed.end())
        return false;
      calls.emplace_back(call, &found->second);
    }
    return !calls.empty();
  }

  void ask(Node &node) {
    if (!node.range || node.shares_range || node.follows || !node.heirs.empty())
      return;
    unsigned index = node.argument->getArgNo();
    std::vector<Source> sources;
    std::vector<CallBase *> others;
    for (auto [call, all] : calls) {
      const Handed &handed = (*all)[index];
      bool is_source = handed.known == Handed::Known::Source && !leads_to(handed.source.range, *node.range);
      if (is_source)
        sources.push_back(handed.source);
      else if (handed.known != Handed::Known::NeverNull)
        others.push_back(call);
    }
    if (others.size() * 2 > calls.size())
      return;
    node.follows = true;
    node.sources = std::move(sources);
    node.calls = std::move(others);
  }

  // Whether a range has its values from another one: it must not give it any.
  bool leads_to(unsigned range, unsigned from) const {
    std::vector<unsigned> open{range};
    SmallDenseSet<unsigned> seen;
    while (!open.empty()) {
      unsigned one = open.back();
      open.pop_back();
      if (one == from)
        return true;
      if (owners[one] && seen.insert(one).second)
        for (const Source &source : owners[one]->sources)
          open.push_back(source.range);
    }
    return false;
  }
};

} // namespace

bool is_called_here_only(const Function &function) {
  if (!function.hasLocalLinkage() || function.isDeclaration() || function.isVarArg() || function.hasNUsesOrMore(MOST_CALLS + 1))
    return false;
  return all_of(function.uses(), [&](const Use &use) {
    auto *call = dyn_cast<CallInst>(use.getUser());
    return call && call->isCallee(&use) && call->getFunctionType() == function.getFunctionType() && !call->isMustTailCall();
  });
}

void ask_callers(Plan &plan) { Asking(plan).run(); }

} // namespace faultline
