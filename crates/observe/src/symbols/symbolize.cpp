// Where in the source an address of a program is, as far as its debug information says.

#include "llvm/DebugInfo/Symbolize/Symbolize.h"

#include <cstring>

using namespace llvm;

// The file, or null if it is not known; the caller frees it.
extern "C" char *faultline_symbolize(const char *module, uint64_t address, uint32_t *line, uint32_t *column) {
  symbolize::LLVMSymbolizer symbolizer;
  Expected<DILineInfo> found =
      symbolizer.symbolizeCode(module, {address, object::SectionedAddress::UndefSection});
  if (!found) {
    consumeError(found.takeError());
    return nullptr;
  }
  *line = found->Line;
  *column = found->Column;
  bool known = found->Line != 0 && found->FileName != DILineInfo::BadString;
  return known ? strdup(found->FileName.c_str()) : nullptr;
}
