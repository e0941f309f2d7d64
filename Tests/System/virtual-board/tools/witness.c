/* Reports when a processor of the board has stalled. Nothing on the board takes precedence over a thread of the highest
 * real-time priority, so if such a thread is late, the machine that emulates the board has stalled.
 *
 * Prints a line "CPU MILLISECONDS" for each stall. Its output must be a pipe, so that writing does not block. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD = 10000000, LATE = 40000000 };

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *watch(void *argument) {
    int cpu = (int)(intptr_t)argument;
    for (int64_t next = now();;) {
        next += PERIOD;
        struct timespec t = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
        int64_t late = now() - next;
        if (late >= LATE) dprintf(STDOUT_FILENO, "%d %lld\n", cpu, (long long)(late / 1000000));
        /* Skips the periods that were missed. */
        if (late > PERIOD) next += late;
    }
    return NULL;
}

static void start(int cpu) {
    pthread_t thread;
    pthread_attr_t attributes;
    cpu_set_t only;
    struct sched_param highest = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof only, &only);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &highest);
    int code = pthread_create(&thread, &attributes, watch, (void *)(intptr_t)cpu);
    if (code) {
        fprintf(stderr, "witness: processor %d: %s\n", cpu, strerror(code));
        exit(1);
    }
}

int main(void) {
    mlockall(MCL_CURRENT | MCL_FUTURE);
    for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) start(cpu);
    for (;;) pause();
}
