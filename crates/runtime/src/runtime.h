/* What the parts of the runtime share. It is linked into observed programs, so it calls nothing that allocates, keeps no
   file open, and changes nothing that the program could see but `errno`, which it restores. */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* One object file's part of the program. Its layout is known to crates/observe/src/instrument/hooks.cpp. */
struct unit {
  uint64_t hash;
  uint64_t *counters;
  uint64_t counter_count;
  int64_t *ranges;
  uint64_t range_count;
  /* Ranges inside of expressions. */
  int64_t *inner;
  uint64_t inner_count;
  /* What values of floating point are compared with before ranges are: see crates/observe/src/instrument/packing.cpp. */
  int64_t *bounds;
  uint64_t bound_count;
  /* For each range of bytes, which of them are inside: see crates/observe/src/instrument/ranges.cpp. */
  uint8_t *inside;
  uint64_t inside_count;
  /* Added to the names of records. */
  uint64_t base;
  /* One of `enum body`. */
  uint64_t body;
  /* Addresses of variables that traces do not tell. */
  void **globals;
  uint64_t global_count;
  struct unit *next;
};

/* The bounds of no value at all: as two numbers of single precision infinite, as one of double precision about the largest. */
#define LEAST_OF_NONE 0x7f8000007f800000
#define GREATEST_OF_NONE 0xff800000ff800000

enum mode { MODE_NONE, MODE_COVERAGE, MODE_INVARIANTS, MODE_TRACE, MODE_EXACT };

/* Which body of a function runs: the one with counters and ranges, the one that is traced, or the exact one. */
enum body { BODY_RANGES, BODY_TRACE, BODY_EXACT };

#define INTERNAL __attribute__((visibility("hidden")))
#define EXPORTED __attribute__((visibility("default")))
#define PATH_BYTES 1024

/* Text of bounded length. What does not fit is cut off. */
struct text {
  size_t length;
  char bytes[PATH_BYTES + 256];
};

INTERNAL void text_begin(struct text *text);
INTERNAL void text_string(struct text *text, const char *string);
INTERNAL void text_number(struct text *text, uint64_t number);
INTERNAL void text_hex(struct text *text, uint64_t number);

/* As memset, memcpy and strnlen do. Programs may have functions of these names, and then those are observed. The length to clear is
   one of whole words. */
static inline void bytes_clear(void *at, size_t length) {
  uint64_t *words = at;
  size_t count = length / 8;
#ifdef __x86_64__
  /* Quicker than what the compiler makes of the loop without wider vectors. */
  __asm__ volatile("rep stosq" : "+D"(words), "+c"(count) : "a"(0) : "memory");
#else
  for (size_t index = 0; index < count; ++index)
    words[index] = 0;
#endif
}

static inline void bytes_copy(uint8_t *to, const uint8_t *from, size_t length) {
  for (; length >= 8; length -= 8, to += 8, from += 8)
    __builtin_memcpy(to, from, 8);
  while (length--)
    *to++ = *from++;
}

static inline size_t bytes_of_string(const char *string, size_t limit) {
  size_t length = 0;
  while (length < limit && string[length])
    ++length;
  return length;
}

/* files.c: whether all of it could be done. */
INTERNAL int file_reserve(int file, uint64_t from, uint64_t length);
INTERNAL int file_write(int file, const void *from, size_t length);

/* process.c */
INTERNAL enum mode mode(void);
/* The path of a file of this process: the recording's folder, the process, and what follows. */
INTERNAL void process_path(struct text *path, const char *rest);
/* Adds a line to the process's file of text. */
INTERNAL void process_note(struct text *line);
INTERNAL void process_begin(void);
/* The number after `name=` in the environment, or what is given. */
INTERNAL uint64_t environment_number(const char *name, uint64_t otherwise);

/* counters.c: puts pages of a file behind a unit's counters and those of its ranges that are asked for. */
INTERNAL void counters_map(struct unit *unit);
INTERNAL void counters_restart(void);

/* trace.c */
INTERNAL void trace_begin(void);
INTERNAL void trace_restart(void);
/* Says where a unit's variables are. */
INTERNAL void trace_globals(const struct unit *unit, uint64_t number);

/* words.c: returns how many bytes were written, at most WORDS_BOUND, and says how many of the words were in use. Up to
   WORDS_AT_ONCE words behind the end are looked at, and count for nothing. */
#define WORDS_NEXT 2048
#define WORDS_PLACES 2048
#define WORDS_AT_ONCE 4
/* From the place of a part of a record to that of the next. */
#define WORDS_STEP 389
#define WORDS_BOUND(words) ((words) * 20 + 64)
struct words_next {
  uint64_t first, second;
};
struct words_place {
  uint64_t last[WORDS_AT_ONCE], distance[WORDS_AT_ONCE];
};
struct words_memory {
  struct words_next next[WORDS_NEXT];
  struct words_place places[WORDS_PLACES];
};
INTERNAL size_t words_encode(const uint64_t *words, size_t count, uint8_t *output, struct words_memory *memory,
                             size_t *kept);

/* lz4.c: returns the length of the block that was written; `table` has room for LZ4_TABLE entries. */
#define LZ4_TABLE 4096
#define LZ4_BOUND(bytes) ((bytes) + (bytes) / 255 + 64)
INTERNAL size_t lz4_compress(const uint8_t *input, size_t length, uint8_t *output, uint32_t *table);
