// What the render thread needs of C. Swift checks that a function marked @_noLocks and @_noAllocation calls nothing
// that may lock or allocate, and takes a C function's word for it: these give it.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// Atomics, as Swift 6.0 takes those of its Synchronization module for a lock.
static inline REALTIME long realtime_load(const long *cell) { return __atomic_load_n(cell, __ATOMIC_ACQUIRE); }
static inline REALTIME void realtime_store(long *cell, long value) { __atomic_store_n(cell, value, __ATOMIC_RELEASE); }

// A value of several words that one thread writes and others read whole, behind a sequence lock: `words[0]` counts,
// and is odd while the writer is at it.
static inline REALTIME void realtime_post(long *words, const void *value, long count) {
    const long *source = (const long *)value;
    long sequence = __atomic_load_n(words, __ATOMIC_RELAXED);
    __atomic_store_n(words, sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (long index = 0; index < count; index++) __atomic_store_n(words + 1 + index, source[index], __ATOMIC_RELAXED);
    __atomic_store_n(words, sequence + 2, __ATOMIC_RELEASE);
}

// Whether the value could be read whole; if not, the writer is at it.
static inline REALTIME int realtime_read(const long *words, void *value, long count) {
    long *destination = (long *)value;
    long sequence = __atomic_load_n(words, __ATOMIC_ACQUIRE);
    for (long index = 0; index < count; index++)
        destination[index] = __atomic_load_n(words + 1 + index, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return sequence % 2 == 0 && __atomic_load_n(words, __ATOMIC_RELAXED) == sequence;
}

// Mathematics: neither locks nor allocates, but the C library does not say so.
static inline REALTIME double realtime_cos(double x) { return cos(x); }
static inline REALTIME double realtime_cbrt(double x) { return cbrt(x); }
static inline REALTIME double realtime_pow(double x, double y) { return pow(x, y); }

// The compiler suspects UnsafeMutablePointer.update(from:count:) of deallocating what it overwrites.
static inline REALTIME void realtime_copy(float *to, const float *from, long count) {
    memmove(to, from, count * sizeof(float));
}

// Nanoseconds of CLOCK_MONOTONIC, which the kernel's time stamps of GPIO edges are on, too.
static inline REALTIME int64_t realtime_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// An eventfd for the two below; negative where there are no descriptors left.
static inline int realtime_doorbell(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// Makes an eventfd readable; one that is so already stays so.
static inline REALTIME void realtime_wake(int descriptor) {
    uint64_t one = 1;
    while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {}
}

// Waits until the eventfd is readable, for so many nanoseconds at most (for ever where they are negative), and makes
// it unreadable. Whether it was.
static inline REALTIME int realtime_wait(int descriptor, int64_t nanoseconds) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    uint64_t count;
    return ppoll(&entry, 1, nanoseconds < 0 ? 0 : &timeout, 0) > 0 && read(descriptor, &count, sizeof count) > 0;
}

// GNU's threads, which Swift's Glibc module leaves out.
static inline void realtime_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
static inline int realtime_join(pthread_t thread, int64_t nanoseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    nanoseconds += deadline.tv_sec * INT64_C(1000000000) + deadline.tv_nsec;
    deadline.tv_sec = nanoseconds / 1000000000;
    deadline.tv_nsec = nanoseconds % 1000000000;
    return pthread_clockjoin_np(thread, 0, CLOCK_MONOTONIC, &deadline);
}

// Keeps in memory whatever of the process is used, from its first use on; an `errno` code where that fails. Not all of
// it at once, which would take the whole stack of every thread.
static inline int realtime_lock_memory(void) {
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}
