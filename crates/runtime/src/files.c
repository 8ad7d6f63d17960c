/* What is written to the recording's files. Where the program may not have files that long (RLIMIT_FSIZE), the rest of the recording is
   lost, but the program does not get the signal that says so of its own files. */

#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* The program's mask, and whether it has such a signal to come. */
struct held {
  sigset_t mask;
  int was_pending;
};

static int is_pending(void) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGXFSZ) == 1;
}

static void hold(struct held *held) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &signals, &held->mask);
  held->was_pending = is_pending();
}

static void release(const struct held *held) {
  if (!held->was_pending && is_pending()) {
    const struct timespec at_once = {0};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    while (sigtimedwait(&signals, NULL, &at_once) < 0 && errno == EINTR)
      ;
  }
  pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
}

INTERNAL int file_reserve(int file, uint64_t from, uint64_t length) {
  struct held held;
  hold(&held);
  int failed = length ? posix_fallocate(file, (off_t)from, (off_t)length) : 0;
  release(&held);
  return !failed;
}

INTERNAL int file_write(int file, const void *from, size_t length) {
  const uint8_t *bytes = from;
  struct held held;
  hold(&held);
  while (length) {
    ssize_t written = write(file, bytes, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      break;
    bytes += written;
    length -= (size_t)written;
  }
  release(&held);
  return length == 0;
}
