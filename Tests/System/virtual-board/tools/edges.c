/* Reports when a line of a simulated chip changes its level. A line that one program drives cannot be requested by
 * another, so this program repeatedly reads the level that the simulation shows.
 *
 * usage: edges FILE      (FILE is sim_gpioN/value)
 * Prints for each change the time of the last reading before it (CLOCK_MONOTONIC, nanoseconds), the time of the first
 * reading after it, and the level. */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int count, char **words) {
    if (count != 2) return 64;
    int file = open(words[1], O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        perror(words[1]);
        return 1;
    }
    struct sched_param highest = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
    sched_setscheduler(0, SCHED_FIFO, &highest);
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct timespec pause = {.tv_nsec = 200000};
    char before = 0, level = 0;
    for (int64_t last = now();;) {
        int64_t earliest = last;
        last = now();
        if (pread(file, &level, 1, 0) != 1) return 1;
        if (before && level != before) printf("%lld %lld %c\n", (long long)earliest, (long long)now(), level);
        before = level;
        nanosleep(&pause, NULL);
    }
}
