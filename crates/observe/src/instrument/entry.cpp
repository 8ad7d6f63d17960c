// The way in from Rust: a file of bitcode in, the same with hooks out.

#include "plan.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace {

// The names of values are of no use any more, and take time and room; but sanitizers report variables by theirs, and arguments are told
// by them.
void drop_names(Module &module) {
  for (Function &function : module) {
    for (BasicBlock &block : function) {
      block.setName("");
      for (Instruction &instruction : block)
        if (!isa<AllocaInst>(instruction))
          instruction.setName("");
    }
  }
}

// Empty if all went well.
std::string instrument(const char *input, const char *output) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseIRFile(input, problem, context);
  if (!module)
    return problem.getMessage().str();
  std::vector<Function *> functions = faultline::prepare(*module);
  if (!functions.empty()) {
    faultline::Plan plan = faultline::make_plan(*module, functions);
    drop_names(*module);
    faultline::insert_hooks(*module, plan);
  }
  std::string message;
  raw_string_ostream out(message);
  if (verifyModule(*module, &out))
    return "the module is not valid after the pass: " + out.str();
  std::error_code code;
  raw_fd_ostream file(output, code, sys::fs::OF_None);
  if (code)
    return code.message();
  WriteBitcodeToFile(*module, file);
  file.close();
  return file.has_error() ? file.error().message() : "";
}

} // namespace

// Null if all went well, or a message that the caller frees.
extern "C" char *faultline_instrument(const char *input, const char *output) {
  std::string message = instrument(input, output);
  return message.empty() ? nullptr : strdup(message.c_str());
}
