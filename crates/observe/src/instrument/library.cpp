// What library functions that move bytes read and write. A call that is not listed has a result that depends on its
// arguments, and touches no memory that the slicer would know of.

#include "plan.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace faultline {
namespace {

// One letter for each access: what it does, with which argument, how long.
//   r/w/c  reads, writes, writes a copy of what was read
//   0..9   the argument with the address; '.' is the call's result
//   s      as long as the string there, with its end; n the same, but not longer than the third argument says
//   o      as long as an object of C++'s `std::string`; S its characters
//   B H W Q  1, 2, 4 or 8 bytes
//   M      what stands for the content of C++'s stream there, unless that is `std::cout`
//   0..9   as long as that argument says; '.' as the result says; f as the second times the third say
// A '|' before it: known only after the call.
StringRef model(StringRef name) {
  name.consume_front("__");
  name.consume_front("isoc99_");
  name.consume_front("isoc23_");
  name.consume_back("_chk");
  name.consume_back("_unlocked");
  return StringSwitch<StringRef>(name)
      .Cases("memcpy", "memmove", "mempcpy", "r12c02")
      .Case("bcopy", "r02c12")
      .Case("memset", "w02")
      .Case("bzero", "w01")
      .Cases("memcmp", "bcmp", "r02r12")
      .Cases("memchr", "memrchr", "r02")
      .Cases("strlen", "atoi", "atol", "atof", "r0s")
      .Cases("strtol", "strtoul", "strtod", "strtoll", "strtoull", "r0s")
      .Cases("strcmp", "strcasecmp", "strstr", "r0sr1s")
      .Cases("strncmp", "strncasecmp", "r0nr1n")
      .Cases("strchr", "strrchr", "strpbrk", "strspn", "strcspn", "r0s")
      .Cases("strcpy", "stpcpy", "r1s|c0s")
      .Case("strncpy", "r1n|c02")
      .Cases("strcat", "strncat", "r0sr1s|w0s")
      .Cases("strdup", "strndup", "r0s|c.s")
      .Cases("sprintf", "vsprintf", "|w0s")
      .Cases("snprintf", "vsnprintf", "|w0s")
      .Case("read", "|w1.")
      .Case("pread", "|w1.")
      .Cases("recv", "recvfrom", "|w1.")
      .Cases("fgets", "gets", "|w0s")
      .Case("fread", "|w0f")
      .Case("fwrite", "r0f")
      .Cases("write", "pwrite", "send", "r12")
      .Cases("puts", "fputs", "perror", "r0s")
      .Default("");
}

// What a call prints, known after it: the stream or the descriptor ('.' is standard output), and how long.
//   0..9, .  as above
//   !        one byte
//   f        as the result times the second argument say
//   s        as long as the string that is the first argument, with its end; t without it
StringRef printed(StringRef name) {
  name.consume_front("__");
  name.consume_back("_chk");
  name.consume_back("_unlocked");
  return StringSwitch<StringRef>(name)
      .Cases("printf", "vprintf", "..")
      .Cases("fprintf", "vfprintf", "dprintf", "vdprintf", "0.")
      .Case("puts", ".s")
      .Case("fputs", "1t")
      .Case("putchar", ".!")
      .Cases("putc", "fputc", "_IO_putc", "1!")
      .Case("fwrite", "3f")
      .Cases("write", "writev", "0.")
      .Default("");
}

// Whether it writes to the stream of C++ that is its first argument.
bool prints_to_stream(StringRef name) {
  StringRef all[] = {"_ZNSols", "_ZStls", "_ZNSo3put", "_ZNSo5write", "_ZSt4endl", "_ZSt16__ostream_insert"};
  return any_of(all, [&](StringRef it) { return name.starts_with(it); });
}

// The argument of a digit, the result for a dot. Null if the call has no such argument, as when declared without a
// prototype.
Value *operand(CallBase &call, char letter) {
  if (letter == '.')
    return call.getType()->isVoidTy() ? nullptr : &call;
  unsigned index = letter - '0';
  return index < call.arg_size() ? call.getArgOperand(index) : nullptr;
}

bool add(CallBase &call, char what, char where, char length, std::vector<Access> &accesses) {
  Access access;
  access.write = what != 'r';
  access.copy = what == 'c';
  access.address = operand(call, where);
  if (!access.address || !access.address->getType()->isPointerTy())
    return false;
  if (length == 's' || length == 'n') {
    access.string = true;
    access.length = length == 'n' ? operand(call, '2') : nullptr;
    if (access.length && !access.length->getType()->isIntegerTy())
      return false;
  } else if (length == 'f') {
    access.length = operand(call, '1');
    access.factor = operand(call, '2');
    if (!access.factor)
      return false;
  } else if (StringRef("oBHWQ").contains(length)) {
    access.fixed = length == 'o' ? 32 : 1 << StringRef("BHWQ").find(length);
  } else if (length == 'M') {
    // A stream for reading and writing has one for each in its first bytes.
    access.is_stream = true;
    access.fixed = access.write ? 8 : 32;
  } else if (length == 'S') {
    access.is_in_string = true;
  } else {
    access.length = operand(call, length);
  }
  if (!access.string && !access.fixed && !access.is_in_string && (!access.length || !access.length->getType()->isIntegerTy()))
    return false;
  accesses.push_back(access);
  return true;
}

void add_printed(CallBase &call, StringRef letters, std::vector<Access> &accesses) {
  if (letters.empty())
    return;
  Access access;
  access.print = true;
  access.stream = letters[0] == '.' ? nullptr : operand(call, letters[0]);
  if (letters[0] != '.' && !(access.stream && access.stream->getType()->isIntOrPtrTy()))
    return;
  switch (letters[1]) {
  case '!':
    access.fixed = 1;
    break;
  case 's':
  case 't':
    access.string = true;
    access.address = operand(call, '0');
    access.fixed = letters[1] == 't' ? UINT64_MAX : 0;
    if (!access.address || !access.address->getType()->isPointerTy())
      return;
    break;
  case 'f':
    access.factor = operand(call, '1');
    if (!access.factor || !access.factor->getType()->isIntegerTy())
      return;
    [[fallthrough]];
  default:
    access.length = operand(call, '.');
    if (!access.length || !access.length->getType()->isIntegerTy())
      return;
  }
  accesses.push_back(access);
}

} // namespace

void library_accesses(CallBase &call, bool is_users, std::vector<Access> &before, std::vector<Access> &after) {
  StringRef letters;
  Function *callee = call.getCalledFunction();
  bool is_elsewhere = callee && callee->isDeclarationForLinker();
  bool is_library = callee && (is_elsewhere || is_of_library(*callee));
  std::string strings = is_library ? string_model(callee->getName()) : "";
  if (isa<MemSetInst>(&call)) {
    letters = "w02";
  } else if (isa<MemTransferInst>(&call)) {
    letters = "r12c02";
  } else if (!strings.empty()) {
    letters = strings;
  } else if (is_elsewhere) {
    letters = model(callee->getName());
  }
  bool late = false;
  while (!letters.empty()) {
    if (letters.consume_front("|")) {
      late = true;
      continue;
    }
    if (!add(call, letters[0], letters[1], letters[2], late ? after : before))
      break;
    letters = letters.drop_front(3);
  }
  if (is_elsewhere)
    add_printed(call, printed(callee->getName()), after);
  bool prints = is_users && is_library && prints_to_stream(callee->getName());
  if (Value *stream = prints ? operand(call, '0') : nullptr; stream && stream->getType()->isPointerTy()) {
    Access access;
    access.print = access.is_positioned = true;
    access.stream = stream;
    after.push_back(access);
  }
  if (call.isMustTailCall())
    after.clear();
}

} // namespace faultline
