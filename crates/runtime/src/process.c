/* The process and its file of text: who it is, which units it has, how it ended. Units announce themselves here when
   they are loaded. Nothing happens unless FAULTLINE_OBSERVE and FAULTLINE_OBSERVE_DIR ask for it. */

#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Not there in static programs. */
#pragma weak dladdr
/* Not there without a sanitizer. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
extern void *__asan_get_report_address(void) __attribute__((weak));

#define NO_ADDRESS UINT64_MAX

static atomic_flag lock = ATOMIC_FLAG_INIT;
static enum mode chosen;
static int started;
static char folder[PATH_BYTES];
static uint64_t process_number, process_try;
static struct unit *units;
static uint64_t unit_count;

INTERNAL enum mode mode(void) { return chosen; }

INTERNAL void text_begin(struct text *text) { text->length = 0; text->bytes[0] = 0; }

INTERNAL void text_string(struct text *text, const char *string) {
  while (*string && text->length + 1 < sizeof text->bytes)
    text->bytes[text->length++] = *string++;
  text->bytes[text->length] = 0;
}

static void text_digits(struct text *text, uint64_t number, unsigned base) {
  char digits[24];
  size_t first = sizeof digits - 1;
  digits[first] = 0;
  do
    digits[--first] = "0123456789abcdef"[number % base];
  while (number /= base);
  text_string(text, digits + first);
}

INTERNAL void text_number(struct text *text, uint64_t number) { text_digits(text, number, 10); }
INTERNAL void text_hex(struct text *text, uint64_t number) { text_digits(text, number, 16); }

/* As getenv does. A program's own may not know yet what it says. */
static const char *variable(const char *name) {
  size_t length = strlen(name);
  for (char **each = environ; each && *each; ++each)
    if (!strncmp(*each, name, length) && (*each)[length] == '=')
      return *each + length + 1;
  return NULL;
}

INTERNAL uint64_t environment_number(const char *name, uint64_t otherwise) {
  const char *value = variable(name);
  if (!value || *value < '0' || *value > '9')
    return otherwise;
  return strtoull(value, NULL, 10);
}

INTERNAL void process_path(struct text *path, const char *rest) {
  text_begin(path);
  text_string(path, folder);
  text_string(path, "/");
  text_number(path, process_number);
  text_string(path, "-");
  text_number(path, process_try);
  text_string(path, rest);
}

static void append(const char *path, int flags, const struct text *line) {
  int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666);
  if (file < 0)
    return;
  file_write(file, line->bytes, line->length);
  close(file);
}

INTERNAL void process_note(struct text *line) {
  struct text path;
  int error = errno;
  text_string(line, "\n");
  process_path(&path, ".process");
  append(path.bytes, 0, line);
  errno = error;
}

/* Takes a name that no process before had: numbers come again, and a process can become another program. */
static int take_name(void) {
  struct text path;
  process_number = (uint64_t)getpid();
  for (process_try = 0; process_try < 10000; ++process_try) {
    process_path(&path, ".process");
    int file = open(path.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      return 1;
    }
    if (errno != EEXIST)
      return 0;
  }
  return 0;
}

INTERNAL void process_begin(void) {
  struct text line;
  char executable[PATH_BYTES];
  if (!take_name()) {
    chosen = MODE_NONE;
    return;
  }
  static const char *const names[] = {"", "coverage", "invariants", "trace", "exact"};
  ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[length < 0 ? 0 : length] = 0;
  text_begin(&line);
  text_string(&line, "faultline-recording 2\nmode ");
  text_string(&line, names[chosen]);
  text_string(&line, "\nprocess ");
  text_number(&line, process_number);
  text_string(&line, "\nparent ");
  text_number(&line, (uint64_t)getppid());
  text_string(&line, "\nexecutable ");
  text_string(&line, executable);
  process_note(&line);
}

/* How it ended, for the reader; the data are in files already. */
static void note_death(const char *how, uint64_t number, uint64_t address) {
  struct text line;
  text_begin(&line);
  text_string(&line, how);
  text_number(&line, number);
  text_string(&line, " thread ");
  text_number(&line, (uint64_t)syscall(SYS_gettid));
  text_string(&line, " address ");
  text_hex(&line, address);
  process_note(&line);
}

/* The instruction that a signal has interrupted. */
static uint64_t instruction_of(const ucontext_t *context) {
#if defined __x86_64__
  return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static void on_signal(int number, siginfo_t *info, void *context) {
  struct text line;
  /* Only faults have an address, and only those that the machine found. */
  int has_address = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
  text_begin(&line);
  text_string(&line, "instruction ");
  text_hex(&line, instruction_of(context));
  process_note(&line);
  note_death("signal ", (uint64_t)number, has_address ? (uint64_t)info->si_addr : NO_ADDRESS);
  /* The default action is back: for a fault by running into it again, for others by raising it. */
  raise(number);
}

static void on_sanitizer_report(void) {
  uint64_t address = __asan_get_report_address ? (uint64_t)__asan_get_report_address() : NO_ADDRESS;
  note_death("sanitizer ", 0, address ? address : NO_ADDRESS);
}

/* Only where nobody else listens. */
static void listen(void) {
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  static char stack[16384];
  stack_t current;
  if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) {
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&own, NULL);
  }
  for (size_t index = 0; index < sizeof fatal / sizeof *fatal; ++index) {
    struct sigaction old, own;
    if (sigaction(fatal[index], NULL, &old) != 0 || old.sa_handler != SIG_DFL)
      continue;
    sigemptyset(&own.sa_mask);
    own.sa_sigaction = on_signal;
    own.sa_flags = (int)(SA_SIGINFO | SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
    sigaction(fatal[index], &own, NULL);
  }
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(on_sanitizer_report);
}

static void announce(struct unit *unit) {
  struct text line;
  Dl_info where = {0};
  text_begin(&line);
  text_string(&line, "unit ");
  text_number(&line, unit_count);
  text_string(&line, " ");
  text_hex(&line, unit->hash);
  text_string(&line, " ");
  text_number(&line, unit->counter_count);
  text_string(&line, " ");
  text_number(&line, unit->range_count);
  text_string(&line, " ");
  text_number(&line, unit->inner_count);
  text_string(&line, " ");
  if (dladdr && dladdr(unit, &where) && where.dli_fname && *where.dli_fname == '/')
    text_string(&line, where.dli_fname);
  process_note(&line);
  text_begin(&line);
  text_string(&line, "base ");
  text_hex(&line, (uint64_t)where.dli_fbase);
  process_note(&line);
  /* A record's name has room for no more units: what comes later is not traced. */
  int fits = unit_count < 32768;
  unit->base = 1ull << 63 | (unit_count++ & 0x7fff) << 48;
  if (chosen == MODE_TRACE) {
    trace_globals(unit, unit_count - 1);
    unit->body = fits ? BODY_TRACE : BODY_RANGES;
  } else {
    counters_map(unit);
    unit->body = chosen == MODE_INVARIANTS ? BODY_RANGES : BODY_EXACT;
  }
}

/* The child of a fork is a process of its own. */
static void after_fork(void) {
  atomic_flag_clear(&lock);
  if (chosen == MODE_NONE)
    return;
  process_begin();
  counters_restart();
  trace_restart();
  unit_count = 0;
  for (struct unit *unit = units; unit; unit = unit->next)
    announce(unit);
}

static enum mode asked_for(void) {
  const char *value = variable("FAULTLINE_OBSERVE");
  if (!value)
    return MODE_NONE;
  if (!strcmp(value, "coverage"))
    return MODE_COVERAGE;
  if (!strcmp(value, "invariants"))
    return MODE_INVARIANTS;
  if (!strcmp(value, "exact"))
    return MODE_EXACT;
  return strcmp(value, "trace") ? MODE_NONE : MODE_TRACE;
}

static void start(void) {
  started = 1;
  const char *where = variable("FAULTLINE_OBSERVE_DIR");
  chosen = asked_for();
  if (chosen == MODE_NONE || !where || !*where) {
    chosen = MODE_NONE;
    return;
  }
  /* The program may change its folder. */
  size_t used = 0;
  if (*where != '/' && getcwd(folder, sizeof folder)) {
    used = strlen(folder);
    folder[used++] = '/';
  }
  if (used + strlen(where) >= sizeof folder) {
    chosen = MODE_NONE;
    return;
  }
  strcpy(folder + used, where);
  process_begin();
  if (chosen == MODE_NONE)
    return;
  pthread_atfork(NULL, NULL, after_fork);
  listen();
  if (chosen == MODE_TRACE)
    trace_begin();
}

static void take_lock(void) {
  while (atomic_flag_test_and_set(&lock))
    ;
}

EXPORTED void __faultline_register_12(struct unit *unit) {
  int error = errno;
  take_lock();
  if (!started)
    start();
  if (chosen != MODE_NONE) {
    unit->next = units;
    units = unit;
    announce(unit);
  }
  atomic_flag_clear(&lock);
  errno = error;
}

EXPORTED void __faultline_unregister_12(struct unit *unit) {
  take_lock();
  for (struct unit **link = &units; *link; link = &(*link)->next)
    if (*link == unit) {
      *link = unit->next;
      break;
    }
  atomic_flag_clear(&lock);
}
