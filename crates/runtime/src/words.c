/* Words of a trace as few bytes. What follows a segment is mostly what followed it before, and an access is mostly near
   where it was when its segment ran before; so a name is a zero where it was foreseen, and an address is its distance
   from the last one there. crates/observe/src/recording/words.rs is the other way. */

#include "runtime.h"

#include <string.h>

/* Most segments have fewer words than this, and few share a slot. */
static size_t slot(uint64_t name, size_t index) { return ((uint32_t)name * 5u + index) % (1u << WORDS_BITS); }

static uint8_t *put(uint8_t *output, uint64_t number) {
  for (; number >= 128; number >>= 7)
    *output++ = (uint8_t)(number | 128);
  *output++ = (uint8_t)number;
  return output;
}

INTERNAL size_t words_encode(const uint64_t *words, size_t count, uint8_t *output, struct words_memory *memory) {
  const uint64_t *end = words + count;
  uint8_t *begin = output;
  uint64_t name = 0;
  memset(memory, 0, sizeof *memory);
  while (words < end) {
    uint64_t *next = &memory->next[slot(name, 0)];
    name = *words++;
    size_t length = (name >> 48) & 0x7fff;
    if (*next == name) {
      *output++ = 0;
    } else {
      output = put(output, (name & 0xffffffff) + 1);
      output = put(output, (name >> 32) & 0xffff);
      output = put(output, length);
      *next = name;
    }
    for (size_t index = 1; index < length && words < end; ++index) {
      uint64_t *last = &memory->last[slot(name, index)];
      uint64_t word = *words++, distance = word - *last;
      *last = word;
      output = put(output, distance << 1 ^ (0 - (distance >> 63)));
    }
  }
  return (size_t)(output - begin);
}
