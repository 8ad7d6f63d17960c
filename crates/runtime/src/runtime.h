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
  /* Added to a segment's number in a trace. */
  uint64_t base;
  uint64_t tracing;
  struct unit *next;
  void *state;
};

enum mode { MODE_NONE, MODE_COVERAGE, MODE_INVARIANTS, MODE_TRACE };

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

/* process.c */
INTERNAL enum mode mode(void);
/* The path of a file of this process: the recording's folder, the process, and what follows. */
INTERNAL void process_path(struct text *path, const char *rest);
/* Adds a line to the process's file of text. */
INTERNAL void process_note(struct text *line);
INTERNAL void process_begin(void);
/* The number after `name=` in the environment, or what is given. */
INTERNAL uint64_t environment_number(const char *name, uint64_t otherwise);

/* counters.c: puts pages of a file behind a unit's counters. */
INTERNAL void counters_map(struct unit *unit);
INTERNAL void counters_restart(void);

/* trace.c */
INTERNAL void trace_begin(void);
INTERNAL void trace_restart(void);

/* words.c: returns how many bytes were written, at most ten for a word. */
#define WORDS_BITS 11
struct words_memory {
  uint64_t next[1 << WORDS_BITS];
  uint64_t last[1 << WORDS_BITS];
};
INTERNAL size_t words_encode(const uint64_t *words, size_t count, uint8_t *output, struct words_memory *memory);

/* lz4.c: returns the length of the block that was written; `table` has room for LZ4_TABLE entries. */
#define LZ4_TABLE 8192
#define LZ4_BOUND(bytes) ((bytes) + (bytes) / 255 + 64)
INTERNAL size_t lz4_compress(const uint8_t *input, size_t length, uint8_t *output, uint32_t *table);
