/* LZ4's block format. Where nothing repeats, ever more bytes are passed over. */

#include "runtime.h"

/* The format wants the last bytes to be literals. */
#define LAST_LITERALS 16

static uint64_t read_word(const uint8_t *at) {
  uint64_t word;
  __builtin_memcpy(&word, at, 8);
  return word;
}

static uint8_t *write_length(uint8_t *output, size_t rest) {
  for (; rest >= 255; rest -= 255)
    *output++ = 255;
  *output++ = (uint8_t)rest;
  return output;
}

/* Literals, then a match unless its length is zero. */
static uint8_t *write_sequence(uint8_t *output, const uint8_t *literals, size_t count, size_t offset, size_t match) {
  uint8_t *token = output++;
  size_t rest = match ? match - 4 : 0;
  *token = (uint8_t)((count < 15 ? count : 15) << 4 | (rest < 15 ? rest : 15));
  if (count >= 15)
    output = write_length(output, count - 15);
  bytes_copy(output, literals, count);
  output += count;
  if (!match)
    return output;
  *output++ = (uint8_t)offset;
  *output++ = (uint8_t)(offset >> 8);
  return rest >= 15 ? write_length(output, rest - 15) : output;
}

INTERNAL size_t lz4_compress(const uint8_t *input, size_t length, uint8_t *output, uint32_t *table) {
  uint8_t *begin = output;
  size_t done = 0, at = 1, misses = 0;
  bytes_clear(table, LZ4_TABLE * sizeof *table);
  while (length > 2 * LAST_LITERALS && at < length - 2 * LAST_LITERALS) {
    uint64_t word = read_word(input + at);
    uint32_t *slot = &table[(word * 0x9E3779B97F4A7C15ull) >> 52];
    size_t before = *slot;
    *slot = (uint32_t)at;
    if (at - before > 65535 || before >= at || read_word(input + before) != word) {
      at += 1 + (misses++ >> 1);
      continue;
    }
    size_t match = 8, most = length - LAST_LITERALS - at;
    while (match + 8 <= most && read_word(input + before + match) == read_word(input + at + match))
      match += 8;
    while (match < most && input[before + match] == input[at + match])
      ++match;
    output = write_sequence(output, input + done, at - done, at - before, match);
    at += match;
    done = at;
    misses = 0;
  }
  output = write_sequence(output, input + done, length - done, 0, 0);
  return (size_t)(output - begin);
}
