// C functions for the render thread. Swift checks that a function marked @_noLocks and @_noAllocation calls only
// functions that neither lock nor allocate. It does not check C functions that are marked in this way, so the functions
// in this file are marked.
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
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#define REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// These functions provide atomics, because Swift 6.0 reports the atomics in its Synchronization module as locks.
static inline REALTIME long realtime_load(const long *cell) { return __atomic_load_n(cell, __ATOMIC_ACQUIRE); }
static inline REALTIME void realtime_store(long *cell, long value) { __atomic_store_n(cell, value, __ATOMIC_RELEASE); }

// A sequence lock, which lets one thread write a value of several words and other threads read it consistently.
// `words[0]` is the sequence number, which is odd while a write is in progress.
static inline REALTIME void realtime_post(long *words, const void *value, long count) {
    const long *source = (const long *)value;
    long sequence = __atomic_load_n(words, __ATOMIC_RELAXED);
    __atomic_store_n(words, sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (long index = 0; index < count; index++) __atomic_store_n(words + 1 + index, source[index], __ATOMIC_RELAXED);
    __atomic_store_n(words, sequence + 2, __ATOMIC_RELEASE);
}

// Returns true if the value was read consistently, and false if a write was in progress.
static inline REALTIME int realtime_read(const long *words, void *value, long count) {
    long *destination = (long *)value;
    long sequence = __atomic_load_n(words, __ATOMIC_ACQUIRE);
    for (long index = 0; index < count; index++)
        destination[index] = __atomic_load_n(words + 1 + index, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return sequence % 2 == 0 && __atomic_load_n(words, __ATOMIC_RELAXED) == sequence;
}

// Mathematical functions neither lock nor allocate, but the C library does not mark them accordingly.
static inline REALTIME double realtime_cos(double x) { return cos(x); }
static inline REALTIME double realtime_cbrt(double x) { return cbrt(x); }
static inline REALTIME double realtime_pow(double x, double y) { return pow(x, y); }

// Copies samples. This function is in C because the compiler assumes that UnsafeMutablePointer.update(from:count:) may
// deallocate the overwritten values.
static inline REALTIME void realtime_copy(float *to, const float *from, long count) {
    memmove(to, from, count * sizeof(float));
}

// Returns the time in nanoseconds on CLOCK_MONOTONIC, which the kernel also uses to time-stamp GPIO edges.
static inline REALTIME int64_t realtime_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Returns an eventfd for the two functions below. The result is negative if no descriptors are left.
static inline int realtime_doorbell(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// Makes an eventfd readable. This has no effect if the eventfd is already readable.
static inline REALTIME void realtime_wake(int descriptor) {
    uint64_t one = 1;
    while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {}
}

// Waits until the eventfd is readable, for at most `nanoseconds` (without a limit if negative), and makes it
// unreadable. Returns true if it was readable.
static inline REALTIME int realtime_wait(int descriptor, int64_t nanoseconds) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    uint64_t count;
    return ppoll(&entry, 1, nanoseconds < 0 ? 0 : &timeout, 0) > 0 && read(descriptor, &count, sizeof count) > 0;
}

// Does the same as `realtime_wait`, but an event on another descriptor also ends the wait. `entries[0]` is the entry
// for the eventfd. Returns true if one of the other descriptors has an event.
static inline REALTIME int realtime_wait_for_any(struct pollfd *entries, long count, int64_t nanoseconds) {
    struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    uint64_t number;
    int events = ppoll(entries, count, nanoseconds < 0 ? 0 : &timeout, 0);
    if (events <= 0) return 0;
    if (!entries[0].revents) return 1;
    // The descriptor is non-blocking, so this is harmless if another thread has just read it.
    ssize_t size = read(entries[0].fd, &number, sizeof number);
    (void)size;
    return events > 1;
}

// Returns the descriptor of a file in memory. The result is negative after a failure. Swift's Glibc module lacks this
// GNU extension.
static inline int realtime_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

// Returns the magic number of a path's file system (linux/magic.h), or 0 after a failure. Swift's Glibc module lacks
// statfs.
static inline long realtime_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (long)status.f_type : 0;
}

// GNU extensions to pthreads, which Swift's Glibc module lacks.
static inline void realtime_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
static inline int realtime_join(pthread_t thread, int64_t nanoseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    nanoseconds += deadline.tv_sec * INT64_C(1000000000) + deadline.tv_nsec;
    deadline.tv_sec = nanoseconds / 1000000000;
    deadline.tv_nsec = nanoseconds % 1000000000;
    return pthread_clockjoin_np(thread, 0, CLOCK_MONOTONIC, &deadline);
}

// Locks each page of the process into memory when it is first used. Returns 0 or an `errno` code. Locking all pages at
// once would reserve the whole stack of every thread.
static inline int realtime_lock_memory(void) {
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}
