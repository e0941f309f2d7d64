// timerfd, epoll, extended attributes and malloc.h, which Swift's Glibc module lacks. They are separate from CRealTime
// because CRealTime defines _GNU_SOURCE, with which these headers would declare types differently from that module.
#pragma once

#include <malloc.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// Returns a timer descriptor, which becomes readable when the timer expires. The result is negative if no descriptors
// are left.
static inline int calarm_make(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

// Sets the timer to expire once, this many nanoseconds from now. A value of 0 disarms it. The render thread calls this,
// so it is marked like the functions in CRealTime.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
static inline void calarm_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec time = {.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    timerfd_settime(descriptor, 0, &time, 0);
}

// Returns true if the timer is set and has not expired.
static inline int calarm_is_set(int descriptor) {
    struct itimerspec time;
    return timerfd_gettime(descriptor, &time) == 0 && (time.it_value.tv_sec || time.it_value.tv_nsec);
}

// Makes the descriptor unreadable. Returns true if it was readable.
static inline int calarm_clear(int descriptor) {
    uint64_t count;
    return read(descriptor, &count, sizeof count) > 0;
}

// Returns a descriptor that is readable while `first` or `second` is. The result is negative if no descriptors are
// left.
static inline int calarm_either(int first, int second) {
    int both = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (both < 0) return both;
    if (epoll_ctl(both, EPOLL_CTL_ADD, first, &event) == 0 && epoll_ctl(both, EPOLL_CTL_ADD, second, &event) == 0)
        return both;
    close(both);
    return -1;
}

// Swift's Glibc module lacks malloc.h.
static inline void heap_keep_small(void) {
    mallopt(M_ARENA_MAX, 2);
    // Setting the threshold also stops glibc from raising it, so every large block goes back to the system when it is
    // freed.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}
static inline void heap_trim(void) { malloc_trim(0); }
