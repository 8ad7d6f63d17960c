/* Counters and ranges live in pages of a file that is mapped in place of the unit's own pages. So what was counted is in
   the file whether the process ends, crashes, is killed or calls `_exit`, and nothing has to be written then. */

#define _GNU_SOURCE
#include "runtime.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
/* The least value of a range without any: a number that no program has, and as floating point none at all. */
#define UNSEEN ((int64_t)0x7ff95bd1e995a5c3)

static uint64_t file_size;

static size_t whole_pages(uint64_t words) { return (words * 8 + PAGE - 1) / PAGE * PAGE; }

INTERNAL void counters_restart(void) { file_size = 0; }

static void give_up(const char *why) {
  struct text line;
  text_begin(&line);
  text_string(&line, "note ");
  text_string(&line, why);
  process_note(&line);
}

static void map(int file, void *address, size_t length) {
  if (length && mmap(address, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)file_size) == MAP_FAILED)
    give_up("counters cannot be mapped");
  file_size += length;
}

static void forget(int64_t *ranges, uint64_t count) {
  for (uint64_t index = 0; index < count; ++index) {
    ranges[2 * index] = UNSEEN;
    ranges[2 * index + 1] = 0;
  }
}

/* The counters of a unit, then its ranges if they are asked for, then those inside of expressions; each from a page's start, in
   the order of units. */
INTERNAL void counters_map(struct unit *unit) {
  struct text path;
  size_t counters = whole_pages(unit->counter_count);
  size_t ranges = mode() != MODE_COVERAGE ? whole_pages(unit->range_count * 2) : 0;
  size_t inner = mode() == MODE_EXACT ? whole_pages(unit->inner_count * 2) : 0;
  process_path(&path, ".counters");
  int file = open(path.bytes, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return give_up("counters cannot be written");
  /* A full disk must show here and not where the program counts. */
  if (!file_reserve(file, file_size, counters + ranges + inner)) {
    give_up("no space for counters");
  } else {
    map(file, unit->counters, counters);
    map(file, unit->ranges, ranges);
    map(file, unit->inner, inner);
    forget(unit->ranges, ranges ? unit->range_count : 0);
    forget(unit->inner, inner ? unit->inner_count : 0);
    for (uint64_t index = 0; index < unit->bound_count; ++index)
      unit->bounds[index] = (int64_t)(index % 4 < 2 ? LEAST_OF_NONE : GREATEST_OF_NONE);
    bytes_clear(unit->inside, unit->inside_count);
  }
  close(file);
}

/* A value is outside of a range: see crates/observe/src/instrument/ranges.cpp for what a range is. */
static void widen(int64_t *range, int64_t value) {
  int64_t least = range[0], greatest = (int64_t)((uint64_t)least + (uint64_t)range[1]);
  int unseen = least == UNSEEN && range[1] == 0;
  if (unseen || value < least)
    least = value;
  if (unseen || value > greatest)
    greatest = value;
  range[0] = least;
  range[1] = (int64_t)((uint64_t)greatest - (uint64_t)least);
}

/* Bits as an integer in the order of numbers, with those that are none at the ends. */
static int64_t ordered(int64_t bits) { return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1); }

static void widen_float(int64_t *range, double value) {
  int64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  int unseen = range[0] == UNSEEN && range[1] == 0;
  if (unseen || ordered(bits) < ordered(range[0]))
    range[0] = bits;
  if (unseen || ordered(bits) > ordered(range[1]))
    range[1] = bits;
}

/* All registers are kept, so that what calls need not be prepared for it. */
EXPORTED __attribute__((preserve_most)) void __faultline_widen(int64_t *range, int64_t value) { widen(range, value); }

EXPORTED __attribute__((preserve_most)) void __faultline_widen_byte(int64_t *range, uint8_t *inside, int64_t value) {
  widen(range, value);
  for (int64_t each = range[0]; each <= range[0] + range[1]; ++each)
    inside[(uint8_t)each] = 1;
}

EXPORTED __attribute__((preserve_most)) void __faultline_widen_float(int64_t *range, double value) { widen_float(range, value); }

/* The same as plain calls, which are compiled in no time where nothing is optimized. */
EXPORTED void __faultline_widen_exact(int64_t *range, int64_t value) { widen(range, value); }

EXPORTED void __faultline_widen_float_exact(int64_t *range, double value) { widen_float(range, value); }

/* Comparisons with what is no number would raise a flag, and hold always: where the range has some, nothing is outside but these. */
static void widen_bounds(int64_t *range, double value, double ends[2]) {
  widen_float(range, value);
  __builtin_memcpy(ends, range, 2 * sizeof *ends);
  if (__builtin_isnan(ends[0]))
    ends[0] = -__builtin_inf();
  if (__builtin_isnan(ends[1]))
    ends[1] = __builtin_inf();
}

/* The same for a value that is compared with bounds, in the type that it has; the greatest are behind all that are least. */
EXPORTED __attribute__((preserve_most)) void __faultline_widen_double(int64_t *range, int64_t *bounds, double value) {
  double ends[2];
  widen_bounds(range, value, ends);
  __builtin_memcpy(&bounds[0], &ends[0], sizeof ends[0]);
  __builtin_memcpy(&bounds[2], &ends[1], sizeof ends[1]);
}

EXPORTED __attribute__((preserve_most)) void __faultline_widen_single(int64_t *range, float *bounds, double value) {
  double ends[2];
  widen_bounds(range, value, ends);
  bounds[0] = (float)ends[0];
  bounds[4] = (float)ends[1];
}
