// What C++'s library does to strings and streams, told of calls of functions that a program may call: what is behind them is partly in
// headers and partly in a binary, and there a string is not always whole. Functions are known by their names as libstdc++ has them, mangled after the
// Itanium ABI; what a name does not tell is not modelled. The letters are those of `library.cpp`.

#include "plan.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace faultline {
namespace {

constexpr StringLiteral STRING = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
constexpr StringLiteral CONSTANT_STRING = "NKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";

enum class Sort { String, Text, Other };

// An object with its characters, or what a pointer leads to.
std::string reads(Sort sort, unsigned argument) {
  std::string number = std::to_string(argument);
  switch (sort) {
  case Sort::String:
    return "r" + number + "o" + "r" + number + "S";
  case Sort::Text:
    return "r" + number + "s";
  case Sort::Other:
    return "";
  }
}

std::string writes(unsigned argument) {
  std::string number = std::to_string(argument);
  return "|w" + number + "o|w" + number + "S";
}

// The next of a function's parameters.
Sort next(StringRef &parameters) {
  if (parameters.consume_front("PKc"))
    return Sort::Text;
  if (parameters.consume_front("PK"))
    parameters = parameters.drop_while([](char it) { return it != '_'; });
  else if (parameters.starts_with("RK") || parameters.starts_with("O") || parameters.starts_with("S"))
    parameters = parameters.drop_while([](char it) { return it != '_'; });
  else
    return parameters = parameters.drop_front(!parameters.empty()), Sort::Other;
  parameters = parameters.drop_front();
  return Sort::String;
}

std::string reads_all(StringRef parameters, unsigned first) {
  std::string letters;
  for (unsigned argument = first; !parameters.empty() && argument < 4; ++argument)
    letters += reads(next(parameters), argument);
  return letters;
}

// Looks at a string, or gives a place in it.
bool is_look(StringRef member) {
  StringRef all[] = {"ix", "2at", "5begin", "3end", "4data", "5c_str", "4size", "6length", "5empty", "5front", "4back"};
  return any_of(all, [&](StringRef it) { return member.starts_with(it); });
}

// Of a member, behind the name of its class, as `6appendEPKc`.
std::string of_member(StringRef name, bool is_constant) {
  StringRef parameters = name.substr(name.find('E')).drop_front(1);
  if (is_look(name))
    return reads(Sort::String, 0);
  // Its result has the place before the string.
  if (name.starts_with("6substr"))
    return reads(Sort::String, 1) + writes(0);
  if (is_constant)
    return reads(Sort::String, 0) + reads_all(parameters, 1);
  if (name.starts_with("D"))
    return "";
  bool begins = name.starts_with("C1") || name.starts_with("C2");
  // A template has arguments.
  parameters.consume_front("E");
  return (begins ? "" : reads(Sort::String, 0)) + reads_all(parameters, 1) + writes(0);
}

// `one + other`, into a string that comes first.
std::string of_sum(StringRef name) {
  StringRef parameters = name.substr(name.find("T1_EE")).drop_front(5);
  bool begins_with_text = parameters.starts_with("PK");
  Sort second = parameters.ends_with("_PKS5_") ? Sort::Text : parameters.ends_with("_S5_") ? Sort::Other : Sort::String;
  return reads(begins_with_text ? Sort::Text : Sort::String, 1) + reads(second, 2) + writes(0);
}

std::string of_comparison(StringRef name) {
  Sort first = name.contains("EbPK") ? Sort::Text : Sort::String, second = name.ends_with("PKS5_") ? Sort::Text : Sort::String;
  return reads(first, 0) + reads(second, 1);
}

// Streams that have their content in a string: `str()`, and how they begin.
std::string of_string_stream(StringRef name) {
  if (name.contains("3strEv"))
    return "r1M" + writes(0);
  bool begins = name.contains("C1E") || name.contains("C2E");
  return begins && name.contains("12basic_string") ? reads(Sort::String, 1) + "|w0o" : "";
}

// `in >> number`, by the letter of its type.
std::string of_number(StringRef type) {
  char size = StringSwitch<char>(type)
                  .Cases("b", "c", 'B')
                  .Cases("s", "t", 'H')
                  .Cases("i", "j", "f", 'W')
                  .Cases("l", "m", "x", "y", "d", 'Q')
                  .Default(0);
  return size ? std::string("r0M|w1") + size : "";
}

bool is_comparison(StringRef name) {
  StringRef all[] = {"SteqIc", "StneIc", "StltIc", "StgtIc", "StleIc", "StgeIc"};
  return any_of(all, [&](StringRef it) { return name.starts_with(it); });
}

} // namespace

std::string string_model(StringRef name) {
  name.consume_back(".own");
  // What strings are made of.
  if (!name.consume_front("_Z") || name.contains("_M_") || name.contains("_S_") || name.contains("_Alloc_hider"))
    return "";
  if (name.contains("stringstream"))
    return of_string_stream(name);
  if (name.starts_with("NSols"))
    return "r0M|w0M";
  if (name.consume_front("NSirsER"))
    return of_number(name);
  if (name.consume_front(CONSTANT_STRING))
    return of_member(name, true);
  if (name.consume_front(STRING))
    return of_member(name, false);
  bool has_string = name.contains("basic_string");
  if (has_string && (name.starts_with("StrsIc") || name.starts_with("St7getlineIc")))
    return "r0M" + writes(1);
  if (has_string && name.starts_with("StplIc"))
    return of_sum(name);
  if (has_string && is_comparison(name))
    return of_comparison(name);
  if (name.starts_with("Stls"))
    return reads(name.ends_with("PKc") ? Sort::Text : has_string ? Sort::String : Sort::Other, 1) + "r0M|w0M";
  return "";
}

const Value *stream_of(const Value *value) {
  while (auto *call = dyn_cast<CallBase>(value)) {
    const Function *callee = call->getCalledFunction();
    StringRef name = callee ? callee->getName() : "", all[] = {"_ZNSols", "_ZStls", "_ZNSirs", "_ZStrs"};
    if (call->arg_empty() || none_of(all, [&](StringRef it) { return name.starts_with(it); }))
      break;
    value = call->getArgOperand(0);
  }
  return value;
}

} // namespace faultline
