/* A thread writes its trace into a window, which is a page range of a file. A full window is compressed and added to
   the thread's trace. However the process ends, what is not yet compressed is in the window's file.

   Two files take turns, so that a trace never grows past a limit and its end is always there. */

#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WINDOW (1u << 20)
#define ENCODED WORDS_BOUND(WINDOW / 8)
/* More than the words of any record. */
#define SINK (64u << 10)

struct chunk {
  char magic[8];
  uint64_t number;
  /* Bytes of the words, of the words with few bytes, and of those compressed. */
  uint64_t raw, encoded, packed;
  /* Nanoseconds of the clock that all threads share. */
  uint64_t begin, end;
};

/* The window begins with the chunk that it will become, without lengths and end. */
struct window {
  struct chunk chunk;
  uint8_t words[];
};

struct writer {
  struct window *window;
  uint64_t thread;
  /* Which of the two files, and its length. */
  unsigned turn;
  uint64_t length;
  uint32_t table[LZ4_TABLE];
  struct words_memory memory;
  uint8_t encoded[ENCODED];
  uint8_t packed[LZ4_BOUND(ENCODED)];
};

EXPORTED __thread uint8_t *__faultline_cursor;
EXPORTED __thread uint8_t *__faultline_limit;
static __thread struct writer *own;
static __thread int busy;

static uint8_t sink[SINK];
static pthread_key_t key;
static uint64_t file_limit;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void thread_path(struct text *path, uint64_t thread, const char *rest) {
  process_path(path, ".");
  text_number(path, thread);
  text_string(path, rest);
}

static void begin_window(struct writer *writer, uint64_t number) {
  struct window *window = writer->window;
  __builtin_memcpy(window->chunk.magic, "FLCHUNK5", 8);
  window->chunk.begin = now();
  window->chunk.number = number;
  __faultline_cursor = window->words;
  __faultline_limit = (uint8_t *)window + WINDOW - WORDS_AT_ONCE * 8;
}

static int map_window(struct writer *writer, void *address) {
  struct text path;
  thread_path(&path, writer->thread, ".window");
  int file = open(path.bytes, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return 0;
  void *window = MAP_FAILED;
  if (file_reserve(file, 0, WINDOW))
    window = mmap(address, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | (address ? MAP_FIXED : 0), file, 0);
  close(file);
  if (window == MAP_FAILED)
    return 0;
  writer->window = window;
  return 1;
}

/* Adds the window to the trace and empties it. A chunk that is in the trace counts, whatever the window still says. */
static void flush(struct writer *writer, const uint8_t *end) {
  struct window *window = writer->window;
  struct chunk chunk = window->chunk;
  struct text path;
  size_t reserved = (size_t)(end - window->words), kept;
  if (!reserved)
    return;
  chunk.end = now();
  chunk.encoded = words_encode((const uint64_t *)(const void *)window->words, reserved / 8, writer->encoded, &writer->memory, &kept);
  chunk.raw = kept * 8;
  chunk.packed = lz4_compress(writer->encoded, chunk.encoded, writer->packed, writer->table);
  int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  if (writer->length + chunk.packed > file_limit) {
    writer->turn ^= 1;
    writer->length = 0;
    flags |= O_TRUNC;
  }
  thread_path(&path, writer->thread, writer->turn ? ".1.trace" : ".0.trace");
  int file = open(path.bytes, flags, 0666);
  if (file >= 0) {
    file_write(file, &chunk, sizeof chunk);
    file_write(file, writer->packed, chunk.packed);
    close(file);
  }
  writer->length += sizeof chunk + chunk.packed;
  bytes_clear(window->words, reserved);
}

/* A thread ends: its window is not needed any more. */
static void end_thread(void *argument) {
  struct writer *writer = argument;
  struct text path;
  if (!writer || !writer->window)
    return;
  busy = 1;
  flush(writer, __faultline_cursor);
  __faultline_cursor = __faultline_limit = NULL;
  thread_path(&path, writer->thread, ".window");
  unlink(path.bytes);
  munmap(writer->window, WINDOW);
  munmap(writer, sizeof *writer);
  own = NULL;
  busy = 0;
}

INTERNAL void trace_globals(const struct unit *unit, uint64_t number) {
  struct text path;
  uint64_t head[2] = {number, unit->global_count};
  if (!unit->global_count)
    return;
  process_path(&path, ".globals");
  int file = open(path.bytes, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  file_write(file, head, sizeof head);
  file_write(file, unit->globals, unit->global_count * sizeof *unit->globals);
  close(file);
}

INTERNAL void trace_begin(void) {
  /* Two files for each thread. */
  file_limit = environment_number("FAULTLINE_OBSERVE_LIMIT", 2ull << 30) / 2;
  pthread_key_create(&key, end_thread);
}

/* The child of a fork has one thread, and a window that still is its parent's. */
INTERNAL void trace_restart(void) {
  struct writer *writer = own;
  if (mode() != MODE_TRACE || !writer)
    return;
  writer->thread = (uint64_t)syscall(SYS_gettid);
  writer->turn = 0;
  writer->length = 0;
  if (map_window(writer, writer->window))
    begin_window(writer, 0);
}

static int begin_thread(void) {
  struct writer *writer = mmap(NULL, sizeof *writer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (writer == MAP_FAILED)
    return 0;
  writer->thread = (uint64_t)syscall(SYS_gettid);
  if (!map_window(writer, NULL)) {
    munmap(writer, sizeof *writer);
    return 0;
  }
  own = writer;
  pthread_setspecific(key, writer);
  begin_window(writer, 0);
  return 1;
}

/* Called when the window has no room for the words of a record: where to write them. */
EXPORTED uint8_t *__faultline_refill(uint64_t length) {
  /* A signal handler came while this was at work, or there is no window: its words are lost. */
  if (busy || length > SINK)
    return sink;
  int error = errno;
  busy = 1;
  uint8_t *end = __faultline_cursor;
  __faultline_limit = NULL;
  /* Words that went into the sink are gone. */
  if (own && (end < own->window->words || end > (uint8_t *)own->window + WINDOW))
    end = own->window->words;
  uint8_t *place = sink;
  if (own) {
    uint64_t number = own->window->chunk.number + 1;
    flush(own, end);
    begin_window(own, number);
    place = __faultline_cursor;
  } else if (begin_thread()) {
    place = __faultline_cursor;
  }
  busy = 0;
  errno = error;
  return place;
}

/* What C++'s library has, if the program has it. */
struct position {
  int64_t offset, state;
};
extern char _ZSt4cout[] __attribute__((weak));
extern struct position _ZNSo5tellpEv(void *stream) __attribute__((weak));

/* 3 and how much a stream of C++ has printed to standard output; 2 if it does not go there, or that cannot be told, as on a
   terminal. */
EXPORTED uint64_t __faultline_position(void *stream) {
  if (!stream || stream != (void *)_ZSt4cout || !_ZNSo5tellpEv)
    return 2;
  int64_t offset = _ZNSo5tellpEv(stream).offset;
  return offset < 0 ? 2 : 3 + (uint64_t)offset;
}

/* How many bytes a string has, with its end. One that is only read is looked at up to a limit: it may be the rest of a
   long text of which the program wants a word. */
EXPORTED uint64_t __faultline_string(const char *string, uint64_t limit) {
  if (!string)
    return 0;
  size_t length = bytes_of_string(string, limit);
  return length < limit ? length + 1 : limit;
}
