/* Words of a trace as few bytes. What follows a record is mostly one of two that followed it before, and an address is
   mostly as far from the last one in its place as that was from the one before. Parts of records that are
   foreseen are only counted. crates/observe/src/recording/words.rs is the other way, and has the grammar. */

#include "runtime.h"

/* See crates/observe/src/instrument/records.cpp. */
#define NAME_LENGTH(name) ((size_t)((name) & 0x7ff))
#define NAME_RESERVED(name) ((size_t)((name) >> 11 & 0x7ff))
#define NAME_PATH(name) ((uint32_t)((name) >> 22 & 0x3ffffff))

/* Four words, or what is known of each. */
typedef uint64_t lanes __attribute__((vector_size(8 * WORDS_AT_ONCE), aligned(8)));

/* Up to four words, of which there are so many: keeps them and their distances from those that were last in the place, zeros
   where there are fewer. A bit for each that is not as far from the last one as that was from the one before. */
typedef unsigned look(const uint64_t *words, size_t count, struct words_place *place, lanes *distances);
/* The classes of four distances, and as many bytes of each as its class says. */
typedef uint8_t *put_distances(uint8_t *output, const lanes *distances, unsigned surprises);

static inline unsigned look_plain(const uint64_t *words, size_t count, struct words_place *place, lanes *distances) {
  unsigned surprises = 0;
  for (size_t index = 0; index < WORDS_AT_ONCE; ++index) {
    uint64_t word = index < count ? words[index] : 0, distance = index < count ? word - place->last[index] : 0;
    surprises |= (unsigned)(index < count && distance != place->distance[index]) << index;
    place->last[index] = word;
    place->distance[index] = (*distances)[index] = distance;
  }
  return surprises;
}

static inline uint8_t *put_distances_plain(uint8_t *output, const lanes *distances, unsigned surprises) {
  static const uint8_t bytes_of[4] = {0, 1, 3, 8};
  uint8_t *classes = output++;
  unsigned all = 0;
  for (unsigned index = 0; index < WORDS_AT_ONCE; ++index) {
    uint64_t distance = (*distances)[index], folded = distance << 1 ^ (0 - (distance >> 63));
    unsigned class = surprises >> index & 1 ? 1u + (folded > 0xff) + (folded > 0xffffff) : 0;
    all |= class << 2 * index;
    __builtin_memcpy(output, &folded, 8);
    output += bytes_of[class];
  }
  *classes = (uint8_t)all;
  return output;
}

static inline uint8_t *put(uint8_t *output, uint64_t number) {
  for (; number >= 128; number >>= 7)
    *output++ = (uint8_t)(number | 128);
  *output++ = (uint8_t)number;
  return output;
}

/* Moves a name to the front of those that were seen behind another one; says where it was, 2 if nowhere. */
static inline unsigned foresee(struct words_next *next, uint64_t name) {
  uint64_t first = next->first;
  if (first == name)
    return 0;
  unsigned code = next->second == name ? 1 : 2;
  next->second = first;
  next->first = name;
  return code;
}

/* How many parts before it were foreseen, and its name if that is not. No jump, which would be foreseen badly. */
static inline uint8_t *put_head(uint8_t *output, uint64_t run, unsigned code, uint64_t name) {
  output = put(output, run << 2 | code);
  __builtin_memcpy(output, &name, 8);
  return output + (code & 2 ? 8 : 0);
}

static inline __attribute__((always_inline)) size_t encode(const uint64_t *words, size_t count, uint8_t *output,
                                                           struct words_memory *memory, size_t *kept, look *look,
                                                           put_distances *put_distances) {
  const uint64_t *begin = words, *end = words + count;
  uint8_t *encoded = output;
  uint64_t name = 0, run = 0;
  size_t spare = 0;
  bytes_clear(memory, sizeof *memory);
  /* A signal came before a record had its name: what follows is lost. So is what follows a name that the program wrote to. */
  while (words < end && *words) {
    struct words_next *seen = &memory->next[NAME_PATH(name) % WORDS_NEXT];
    name = *words;
    unsigned code = foresee(seen, name);
    size_t left = NAME_LENGTH(name) - 1, reserved = NAME_RESERVED(name);
    if (left >= reserved || reserved > (size_t)(end - words))
      break;
    const uint64_t *at = words + 1;
    uint32_t place = NAME_PATH(name);
    words += reserved;
    spare += reserved - 1 - left;
    if (!left) {
      output = code ? put_head(output, run, code, name) : output;
      run = code ? 0 : run + 1;
      continue;
    }
    /* Four words at a time; the first part has the name. */
    for (;; at += WORDS_AT_ONCE, left -= WORDS_AT_ONCE, place += WORDS_STEP, code = 0) {
      size_t part = left < WORDS_AT_ONCE ? left : WORDS_AT_ONCE;
      lanes distances;
      unsigned surprises = look(at, part, &memory->places[place % WORDS_PLACES], &distances);
      if (code | surprises) {
        output = put_distances(put_head(output, run, code, name), &distances, surprises);
        run = 0;
      } else {
        ++run;
      }
      if (left <= WORDS_AT_ONCE)
        break;
    }
  }
  /* Behind the last: the parts that were foreseen to the end. */
  output = put(output, run << 2 | 3);
  *kept = (size_t)(words - begin) - spare;
  return (size_t)(output - encoded);
}

#ifdef __x86_64__
#include <immintrin.h>

#define WIDE __attribute__((target("avx2,bmi,bmi2")))

/* All in one, so that one register is enough to find them. */
static const struct {
  /* Which lanes count, by how many words there are. */
  uint64_t counting[WORDS_AT_ONCE + 1][WORDS_AT_ONCE];
  /* By the classes of two distances: the bytes of them that are kept, and how many these are. */
  uint8_t bytes[16][16], lengths[16];
  /* Bits of a number with another one between. */
  uint8_t spread[16];
} tables __attribute__((aligned(32))) = {
    {{0, 0, 0, 0}, {-1ull, 0, 0, 0}, {-1ull, -1ull, 0, 0}, {-1ull, -1ull, -1ull, 0}, {-1ull, -1ull, -1ull, -1ull}},
    {{0},
     {0},
     {0, 1, 2},
     {0, 1, 2, 3, 4, 5, 6, 7},
     {8},
     {0, 8},
     {0, 1, 2, 8},
     {0, 1, 2, 3, 4, 5, 6, 7, 8},
     {8, 9, 10},
     {0, 8, 9, 10},
     {0, 1, 2, 8, 9, 10},
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
     {8, 9, 10, 11, 12, 13, 14, 15},
     {0, 8, 9, 10, 11, 12, 13, 14, 15},
     {0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15},
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
    {0, 1, 3, 8, 1, 2, 4, 9, 3, 4, 6, 11, 8, 9, 11, 16},
    {0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85},
};

static inline WIDE __m256i four(const void *from) { return _mm256_loadu_si256(from); }

static inline WIDE unsigned bit_of_each(__m256i it) { return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(it)); }

static inline WIDE unsigned look_wide(const uint64_t *words, size_t count, struct words_place *place, lanes *distances) {
  __m256i counts = four(tables.counting[count]), word = _mm256_and_si256(four(words), counts);
  __m256i distance = _mm256_and_si256(_mm256_sub_epi64(word, four(place->last)), counts);
  __m256i before = _mm256_and_si256(four(place->distance), counts);
  /* What is kept depends on what was there before as little as can be, lest each record wait for the last one. */
  _mm256_storeu_si256((void *)place->last, word);
  _mm256_storeu_si256((void *)place->distance, distance);
  *distances = (lanes)distance;
  return bit_of_each(_mm256_cmpeq_epi64(distance, before)) ^ 15;
}

static inline WIDE uint8_t *put_distances_wide(uint8_t *output, const lanes *distances, unsigned surprises) {
  const __m256i zero = _mm256_setzero_si256(), distance = (__m256i)*distances;
  __m256i folded = _mm256_xor_si256(_mm256_add_epi64(distance, distance), _mm256_cmpgt_epi64(zero, distance));
  unsigned one = bit_of_each(_mm256_cmpeq_epi64(_mm256_srli_epi64(folded, 8), zero));
  unsigned three = bit_of_each(_mm256_cmpeq_epi64(_mm256_srli_epi64(folded, 24), zero));
  /* The lower and the higher bits of the classes 1, 2 and 3. */
  unsigned classes = tables.spread[surprises & (one | ~three)] | (unsigned)tables.spread[surprises & ~one] << 1;
  unsigned low = classes & 15, high = classes >> 4;
  *output++ = (uint8_t)classes;
  __m128i first = _mm_shuffle_epi8(_mm256_castsi256_si128(folded), _mm_loadu_si128((const void *)tables.bytes[low]));
  __m128i second = _mm_shuffle_epi8(_mm256_extracti128_si256(folded, 1), _mm_loadu_si128((const void *)tables.bytes[high]));
  _mm_storeu_si128((void *)output, first);
  output += tables.lengths[low];
  _mm_storeu_si128((void *)output, second);
  return output + tables.lengths[high];
}

static WIDE size_t encode_wide(const uint64_t *words, size_t count, uint8_t *output, struct words_memory *memory, size_t *kept) {
  return encode(words, count, output, memory, kept, look_wide, put_distances_wide);
}
#endif

INTERNAL size_t words_encode(const uint64_t *words, size_t count, uint8_t *output, struct words_memory *memory, size_t *kept) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
    return encode_wide(words, count, output, memory, kept);
#endif
  return encode(words, count, output, memory, kept, look_plain, put_distances_plain);
}
