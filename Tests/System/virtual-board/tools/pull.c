/* Pulls the board's wires.
 *
 * usage: pull LINE up|down [TIME] [LINE up|down] …      for example: pull PHONE_CALL up 3ms PHONE_CALL down
 * LINE is the name of a line, or CHIP:OFFSET if the line has no name or another chip has a line of the same name.
 * Prints for each pull the time before it (CLOCK_MONOTONIC, nanoseconds), the line, up or down, and the time after it.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHIPS "/sys/kernel/config/gpio-sim/"

static int read_word(const char *path, char *word, size_t size) {
    FILE *file = fopen(path, "r");
    int found = file && fgets(word, (int)size, file);
    if (file) fclose(file);
    if (found) word[strcspn(word, "\n")] = 0;
    return found;
}

/* Opens the file that pulls this line of the chip. */
static int open_pull(const char *chip, int offset) {
    char path[256], device[64], name[64];
    snprintf(path, sizeof path, CHIPS "%s/dev_name", chip);
    if (!read_word(path, device, sizeof device)) return -1;
    snprintf(path, sizeof path, CHIPS "%s/bank0/chip_name", chip);
    if (!read_word(path, name, sizeof name)) return -1;
    snprintf(path, sizeof path, "/sys/devices/platform/%s/%s/sim_gpio%d/pull", device, name, offset);
    return open(path, O_WRONLY);
}

static int open_line(const char *name) {
    const char *colon = strchr(name, ':');
    char word[64], chip[64];
    glob_t names;
    int offset, result = -1;
    if (colon) {
        snprintf(chip, sizeof chip, "%.*s", (int)(colon - name), name);
        result = open_pull(chip, atoi(colon + 1));
        if (result >= 0) return result;
    }
    if (glob(CHIPS "*/bank0/line*/name", 0, NULL, &names)) names.gl_pathc = 0;
    for (size_t i = 0; i < names.gl_pathc && result < 0; i++) {
        if (!read_word(names.gl_pathv[i], word, sizeof word) || strcmp(word, name)) continue;
        /* The line's number is in its folder's name. */
        if (sscanf(names.gl_pathv[i], CHIPS "%63[^/]/bank0/line%d", chip, &offset) == 2)
            result = open_pull(chip, offset);
    }
    if (result < 0) {
        fprintf(stderr, "pull: no line %s; there are:", name);
        for (size_t i = 0; i < names.gl_pathc; i++)
            if (read_word(names.gl_pathv[i], word, sizeof word)) fprintf(stderr, " %s", word);
        fprintf(stderr, "\n");
        exit(1);
    }
    globfree(&names);
    return result;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int usage(void) {
    fprintf(stderr, "usage: pull LINE up|down [TIME such as 30ms or 2s] [LINE up|down] …\n");
    return 64;
}

int main(int argc, char **argv) {
    if (argc < 2) return usage();
    for (int i = 1; i < argc; i++) {
        char *unit;
        double time = strtod(argv[i], &unit);
        if (unit != argv[i]) {
            double scale = !strcmp(unit, "s") ? 1e9 : !strcmp(unit, "ms") ? 1e6 : !strcmp(unit, "us") ? 1e3 : 0;
            if (scale == 0) return usage();
            int64_t pause = (int64_t)(time * scale);
            nanosleep(&(struct timespec){.tv_sec = pause / 1000000000, .tv_nsec = pause % 1000000000}, NULL);
            continue;
        }
        if (i + 1 >= argc || (strcmp(argv[i + 1], "up") && strcmp(argv[i + 1], "down"))) return usage();
        int up = !strcmp(argv[i + 1], "up"), line = open_line(argv[i]);
        long long before = now();
        if (write(line, up ? "pull-up" : "pull-down", up ? 7 : 9) < 0) {
            perror("pull");
            return 1;
        }
        printf("%lld %s %s %lld\n", before, argv[i], argv[i + 1], now());
        close(line);
        i++;
    }
    return 0;
}
