/* Changes the inputs of an expander that i2c-stub emulates, as the wires of a real one would.
 *
 * usage: expander BUS ADDRESS REGISTER VALUE [TIME] [REGISTER VALUE] …   for example: expander 0 0x20 0 0xff 3ms 0 0xfe
 * Prints for each write the time before it (CLOCK_MONOTONIC, nanoseconds), the value, and the time after it.
 */
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int set(int bus, int number, int value) {
    union i2c_smbus_data data = {.byte = (uint8_t)value};
    struct i2c_smbus_ioctl_data order = {
        .read_write = I2C_SMBUS_WRITE, .command = (uint8_t)number, .size = I2C_SMBUS_BYTE_DATA, .data = &data};
    return ioctl(bus, I2C_SMBUS, &order);
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

int main(int argc, char **argv) {
    char path[64];
    if (argc < 5) {
        fprintf(stderr, "usage: expander BUS ADDRESS REGISTER VALUE [TIME such as 30ms] [REGISTER VALUE] …\n");
        return 64;
    }
    snprintf(path, sizeof path, "/dev/i2c-%d", atoi(argv[1]));
    int bus = open(path, O_RDWR);
    if (bus < 0) return fail(path);
    /* The driver of the expander also uses the address. */
    if (ioctl(bus, I2C_SLAVE_FORCE, strtol(argv[2], NULL, 0)) < 0) return fail(argv[2]);
    for (int i = 3; i < argc; i++) {
        char *unit;
        double time = strtod(argv[i], &unit);
        if (!strcmp(unit, "ms")) {
            int64_t pause = (int64_t)(time * 1e6);
            nanosleep(&(struct timespec){.tv_sec = pause / 1000000000, .tv_nsec = pause % 1000000000}, NULL);
            continue;
        }
        if (i + 1 >= argc) return 64;
        long value = strtol(argv[i + 1], NULL, 0);
        long long before = now();
        if (set(bus, (int)strtol(argv[i], NULL, 0), (int)value) < 0) return fail("i2c");
        printf("%lld %ld %lld\n", before, value, now());
        i++;
    }
    return 0;
}
