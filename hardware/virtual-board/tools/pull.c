/* Pulls the board's wires.
 *
 * usage: pull LINE up|down [TIME] [LINE up|down] …      for example: pull PHONE_CALL up 3ms PHONE_CALL down
 * For each pull a line: the time before it (CLOCK_MONOTONIC, nanoseconds), the line, up or down. */
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHIP "/sys/kernel/config/gpio-sim/panel"

static int read_word(const char *path, char *word, size_t size) {
    FILE *file = fopen(path, "r");
    int found = file && fgets(word, (int)size, file);
    if (file) fclose(file);
    if (found) word[strcspn(word, "\n")] = 0;
    return found;
}

/* The file that pulls the line of that name, open; the number in its name is the offset. */
static int open_line(const char *name) {
    glob_t names;
    char word[64], device[64], chip[64], path[256];
    int result = -1;
    if (!read_word(CHIP "/dev_name", device, sizeof device) || !read_word(CHIP "/bank0/chip_name", chip, sizeof chip)) {
        fprintf(stderr, "pull: there is no chip\n");
        exit(1);
    }
    if (glob(CHIP "/bank0/line*/name", 0, NULL, &names)) names.gl_pathc = 0;
    for (size_t i = 0; i < names.gl_pathc && result < 0; i++) {
        if (!read_word(names.gl_pathv[i], word, sizeof word) || strcmp(word, name)) continue;
        int offset = atoi(names.gl_pathv[i] + strlen(CHIP "/bank0/line"));
        snprintf(path, sizeof path, "/sys/devices/platform/%s/%s/sim_gpio%d/pull", device, chip, offset);
        result = open(path, O_WRONLY);
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
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (write(line, up ? "pull-up" : "pull-down", up ? 7 : 9) < 0) {
            perror("pull");
            return 1;
        }
        close(line);
        printf("%lld %s %s\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec, argv[i], argv[i + 1]);
        i++;
    }
    return 0;
}
