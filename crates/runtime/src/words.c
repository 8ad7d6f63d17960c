/* Words of a trace as few bytes. What follows a record is mostly one of two that followed it before, and an address is
   mostly as far from the last one in its place as that was from the one before. Parts of records that are
   foreseen are only counted. crates/observe/src/recording/words.rs is the other way, and has the grammar. */

#include "runtime.h"

#include <string.h>

/* See crates/observe/src/instrument/records.cpp. */
#define NAME_LENGTH(name) ((size_t)((name) & 0x7ff))
#define NAME_RESERVED(name) ((size_t)((name) >> 11 & 0x7ff))
#define NAME_PATH(name) ((uint32_t)((name) >> 22 & 0x3ffffff))

typedef uint64_t lanes __attribute__((vector_size(8 * WORDS_AT_ONCE), aligned(8)));

/* Which lanes count, by how many words there are. */
static const lanes counting[WORDS_AT_ONCE + 1] = {
    {0, 0, 0, 0}, {-1ull, 0, 0, 0}, {-1ull, -1ull, 0, 0}, {-1ull, -1ull, -1ull, 0}, {-1ull, -1ull, -1ull, -1ull}};

static inline __attribute__((always_inline)) uint8_t *put(uint8_t *output, uint64_t number) {
  for (; number >= 128; number >>= 7)
    *output++ = (uint8_t)(number | 128);
  *output++ = (uint8_t)number;
  return output;
}

/* Moves a name to the front of those that were seen behind another one; says where it was, 2 if nowhere. */
static inline __attribute__((always_inline)) unsigned foresee(struct words_next *next, uint64_t name) {
  if (next->first == name)
    return 0;
  unsigned code = next->second == name ? 1 : 2;
  next->second = next->first;
  next->first = name;
  return code;
}

/* The classes of four distances, and as many bytes of each as its class says. */
static inline __attribute__((always_inline)) uint8_t *put_distances(uint8_t *output, const uint64_t *distances, const uint64_t *surprises) {
  static const uint8_t bytes_of[4] = {0, 1, 3, 8};
  uint8_t *classes = output++, all = 0;
  for (unsigned index = 0; index < WORDS_AT_ONCE; ++index) {
    uint64_t folded = distances[index] << 1 ^ (0 - (distances[index] >> 63));
    unsigned class = 1u + (folded > 0xff) + (folded > 0xffffff);
    class = surprises[index] ? class : 0;
    all |= (uint8_t)(class << 2 * index);
    memcpy(output, &folded, 8);
    output += bytes_of[class];
  }
  *classes = all;
  return output;
}

static inline __attribute__((always_inline)) size_t encode(const uint64_t *words, size_t count, uint8_t *output,
                                                           struct words_memory *memory, size_t *kept) {
  const uint64_t *end = words + count;
  uint8_t *begin = output;
  uint64_t name = 0, run = 0;
  memset(memory, 0, sizeof *memory);
  *kept = 0;
  /* A signal came before a record had its name: what follows is lost. */
  while (words < end && *words) {
    unsigned code = foresee(&memory->next[NAME_PATH(name) % WORDS_NEXT], *words);
    name = *words;
    const uint64_t *next = words + NAME_RESERVED(name);
    size_t length = NAME_LENGTH(name) - 1;
    if (length >= (size_t)(end - words))
      break;
    *kept += 1 + length;
    ++words;
    uint32_t place = NAME_PATH(name);
    /* Four words at a time; the first part has the name. */
    do {
      size_t part = length < WORDS_AT_ONCE ? length : WORDS_AT_ONCE;
      struct words_place *at = &memory->places[place % WORDS_PLACES];
      lanes counts = counting[part], word, last, before, distance, surprise;
      memcpy(&word, words, sizeof word);
      memcpy(&last, at->last, sizeof last);
      memcpy(&before, at->distance, sizeof before);
      distance = (word - last) & counts;
      surprise = (distance ^ before) & counts;
      /* What is kept depends on what was there before as little as can be, lest each record wait for the last one. */
      word &= counts;
      memcpy(at->last, &word, sizeof word);
      memcpy(at->distance, &distance, sizeof distance);
      words += part;
      length -= part;
      place += WORDS_STEP;
      if (!(code | __builtin_reduce_or(surprise))) {
        ++run;
        continue;
      }
      output = put(output, run << 2 | code);
      run = 0;
      if (code == 2) {
        memcpy(output, &name, 8);
        output += 8;
      }
      code = 0;
      if (part)
        output = put_distances(output, (const uint64_t *)&distance, (const uint64_t *)&surprise);
    } while (length);
    words = next;
  }
  /* Behind the last: the parts that were foreseen to the end. */
  output = put(output, run << 2 | 3);
  return (size_t)(output - begin);
}

#ifdef __x86_64__
static __attribute__((target("avx2,bmi,bmi2"))) size_t encode_wide(const uint64_t *words, size_t count, uint8_t *output,
                                                                   struct words_memory *memory, size_t *kept) {
  return encode(words, count, output, memory, kept);
}
#endif

INTERNAL size_t words_encode(const uint64_t *words, size_t count, uint8_t *output, struct words_memory *memory, size_t *kept) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
    return encode_wide(words, count, output, memory, kept);
#endif
  return encode(words, count, output, memory, kept);
}
