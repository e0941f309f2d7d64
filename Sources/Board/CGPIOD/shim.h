// libgpiod 1.6 (Debian 12) and 2.x (Debian 13) have little more than their name in common. This shim gives Swift one
// interface to both for reading and driving lines. Levels are electrical, because lines are never requested as active
// low.
//
// A function that fails returns NULL or -1 and sets `errno`.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Only 1.x defines this macro.
#ifdef GPIOD_BIT
#define CGPIOD_VERSION 1
#else
#define CGPIOD_VERSION 2
#endif

#define CGPIOD_BIAS_UNKNOWN 0
#define CGPIOD_BIAS_DISABLED 1
#define CGPIOD_BIAS_PULL_UP 2
#define CGPIOD_BIAS_PULL_DOWN 3

// A line to request.
struct cgpiod_wanted {
    unsigned int offset;
    // UNKNOWN leaves the bias unchanged.
    int bias;
};

// The use of a request for levels.
// Leaves the direction unchanged, unless a bias is requested.
#define CGPIOD_AS_IS 0
#define CGPIOD_INPUT 1
// Makes the lines inputs and queues their edges.
#define CGPIOD_EDGES 2

#define CGPIOD_DRIVE_PUSH_PULL 0
#define CGPIOD_DRIVE_OPEN_DRAIN 1
#define CGPIOD_DRIVE_OPEN_SOURCE 2

// A line to drive, and its initial level.
struct cgpiod_driven {
    unsigned int offset;
    // UNKNOWN leaves the bias unchanged.
    int bias;
    int drive;
    bool level;
};

struct cgpiod_edge {
    unsigned int offset;
    bool level;
    // The time in nanoseconds of CLOCK_MONOTONIC.
    int64_t time;
};

struct cgpiod_chip;
struct cgpiod_request;
struct cgpiod_output;

#if CGPIOD_VERSION == 1

// The information is freed with its chip.
typedef struct gpiod_line cgpiod_info;

struct cgpiod_chip {
    struct gpiod_chip *chip;
};

static inline void cgpiod_chip_close(struct cgpiod_chip *self) {
    gpiod_chip_close(self->chip);
    free(self);
}

static inline struct cgpiod_chip *cgpiod_chip_open(const char *path) {
    struct cgpiod_chip *self = (struct cgpiod_chip *)calloc(1, sizeof *self);
    if (!self) return 0;
    self->chip = gpiod_chip_open(path);
    if (self->chip) return self;
    int code = errno;
    free(self);
    errno = code;
    return 0;
}

static inline const char *cgpiod_chip_name(struct cgpiod_chip *self) { return gpiod_chip_name(self->chip); }
static inline const char *cgpiod_chip_label(struct cgpiod_chip *self) { return gpiod_chip_label(self->chip); }
static inline unsigned int cgpiod_chip_lines(struct cgpiod_chip *self) { return gpiod_chip_num_lines(self->chip); }

static inline cgpiod_info *cgpiod_info_get(struct cgpiod_chip *self, unsigned int offset) {
    return gpiod_chip_get_line(self->chip, offset);
}
static inline void cgpiod_info_free(cgpiod_info *info) { (void)info; }
static inline const char *cgpiod_info_name(cgpiod_info *info) { return gpiod_line_name(info); }
static inline const char *cgpiod_info_consumer(cgpiod_info *info) { return gpiod_line_consumer(info); }
static inline bool cgpiod_info_used(cgpiod_info *info) { return gpiod_line_is_used(info); }
static inline bool cgpiod_info_output(cgpiod_info *info) {
    return gpiod_line_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
}
static inline bool cgpiod_info_active_low(cgpiod_info *info) {
    return gpiod_line_active_state(info) == GPIOD_LINE_ACTIVE_STATE_LOW;
}
static inline int cgpiod_info_bias(cgpiod_info *info) {
    switch (gpiod_line_bias(info)) {
    case GPIOD_LINE_BIAS_DISABLE: return CGPIOD_BIAS_DISABLED;
    case GPIOD_LINE_BIAS_PULL_UP: return CGPIOD_BIAS_PULL_UP;
    case GPIOD_LINE_BIAS_PULL_DOWN: return CGPIOD_BIAS_PULL_DOWN;
    default: return CGPIOD_BIAS_UNKNOWN;
    }
}

// A request in which each line has its own descriptor. The lines belong to the chip, which must stay open.
struct cgpiod_request {
    struct gpiod_chip *chip;
    int mode;
    size_t count;
    struct gpiod_line *lines[];
};

static inline void cgpiod_release(struct cgpiod_request *self) {
    gpiod_chip_close(self->chip);
    free(self);
}

static inline size_t cgpiod_descriptors(const struct cgpiod_request *self) {
    return self->mode == CGPIOD_EDGES ? self->count : 0;
}

static inline int cgpiod_descriptor(const struct cgpiod_request *self, size_t index) {
    return gpiod_line_event_get_fd(self->lines[index]);
}

static inline int cgpiod_request_line(
    struct cgpiod_request *self, const struct cgpiod_wanted *wanted, const char *consumer) {
    struct gpiod_line *line = gpiod_chip_get_line(self->chip, wanted->offset);
    if (!line) return -1;
    self->lines[self->count] = line;
    int flags = wanted->bias == CGPIOD_BIAS_DISABLED    ? GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE
                : wanted->bias == CGPIOD_BIAS_PULL_UP   ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP
                : wanted->bias == CGPIOD_BIAS_PULL_DOWN ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN
                                                        : 0;
    // The kernel rejects a bias unless the request also makes the line an input.
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = self->mode == CGPIOD_EDGES          ? GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES
                        : self->mode == CGPIOD_INPUT || flags ? GPIOD_LINE_REQUEST_DIRECTION_INPUT
                                                              : GPIOD_LINE_REQUEST_DIRECTION_AS_IS,
        .flags = flags,
    };
    if (gpiod_line_request(line, &config, 0) < 0) return -1;
    self->count++;
    return self->mode == CGPIOD_EDGES ? fcntl(cgpiod_descriptor(self, self->count - 1), F_SETFL, O_NONBLOCK) : 0;
}

// Requests all lines, or fails. The mode is one of the constants above.
static inline struct cgpiod_request *cgpiod_request_lines(
    const char *path, const struct cgpiod_wanted *wanted, size_t count, const char *consumer, int mode) {
    struct cgpiod_request *self =
        (struct cgpiod_request *)calloc(1, sizeof *self + count * sizeof(struct gpiod_line *));
    if (!self) return 0;
    self->mode = mode;
    self->chip = gpiod_chip_open(path);
    int code = self->chip ? 0 : errno;
    for (size_t index = 0; !code && index < count; index++)
        if (cgpiod_request_line(self, wanted + index, consumer) < 0) code = errno;
    if (!code) return self;
    if (self->chip) gpiod_chip_close(self->chip);
    free(self);
    errno = code;
    return 0;
}

// Reads the level of each line, in the order of the request.
static inline int cgpiod_levels(struct cgpiod_request *self, bool *levels) {
    for (size_t index = 0; index < self->count; index++) {
        int level = gpiod_line_get_value(self->lines[index]);
        if (level < 0) return -1;
        levels[index] = level != 0;
    }
    return 0;
}

// Reads at most `capacity` queued edges from a descriptor. Returns 0 if none are queued.
static inline int cgpiod_read_edges(
    struct cgpiod_request *self, size_t index, struct cgpiod_edge *edges, size_t capacity) {
    // The library reads at most 16 edges at once.
    struct gpiod_line_event events[16];
    int count = gpiod_line_event_read_fd_multiple(
        cgpiod_descriptor(self, index), events, capacity < 16 ? (unsigned int)capacity : 16);
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    for (int event = 0; event < count; event++) {
        edges[event].offset = gpiod_line_offset(self->lines[index]);
        edges[event].level = events[event].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
        edges[event].time = events[event].ts.tv_sec * INT64_C(1000000000) + events[event].ts.tv_nsec;
    }
    return count;
}

// A driven line. It belongs to the chip, which must stay open.
struct cgpiod_output {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

static inline void cgpiod_output_release(struct cgpiod_output *self) {
    if (self->chip) gpiod_chip_close(self->chip);
    free(self);
}

// Makes a line an output that drives its initial level from the start.
static inline struct cgpiod_output *cgpiod_output_request(
    const char *path, struct cgpiod_driven driven, const char *consumer) {
    struct cgpiod_output *self = (struct cgpiod_output *)calloc(1, sizeof *self);
    if (!self) return 0;
    self->chip = gpiod_chip_open(path);
    self->line = self->chip ? gpiod_chip_get_line(self->chip, driven.offset) : 0;
    int bias = driven.bias == CGPIOD_BIAS_DISABLED    ? GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE
               : driven.bias == CGPIOD_BIAS_PULL_UP   ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP
               : driven.bias == CGPIOD_BIAS_PULL_DOWN ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN
                                                      : 0;
    int drive = driven.drive == CGPIOD_DRIVE_OPEN_DRAIN    ? GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN
                : driven.drive == CGPIOD_DRIVE_OPEN_SOURCE ? GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE
                                                           : 0;
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
        .flags = bias | drive,
    };
    if (self->line && gpiod_line_request(self->line, &config, driven.level) == 0) return self;
    int code = errno;
    cgpiod_output_release(self);
    errno = code;
    return 0;
}

static inline int cgpiod_output_set(struct cgpiod_output *self, bool level) {
    return gpiod_line_set_value(self->line, level);
}

// Fails if the chip has disappeared.
static inline int cgpiod_output_check(struct cgpiod_output *self) { return gpiod_line_get_value(self->line) < 0 ? -1 : 0; }

#else

typedef struct gpiod_line_info cgpiod_info;

struct cgpiod_chip {
    struct gpiod_chip *chip;
    struct gpiod_chip_info *info;
};

static inline void cgpiod_chip_close(struct cgpiod_chip *self) {
    if (self->info) gpiod_chip_info_free(self->info);
    if (self->chip) gpiod_chip_close(self->chip);
    free(self);
}

static inline struct cgpiod_chip *cgpiod_chip_open(const char *path) {
    struct cgpiod_chip *self = (struct cgpiod_chip *)calloc(1, sizeof *self);
    if (!self) return 0;
    self->chip = gpiod_chip_open(path);
    if (self->chip) self->info = gpiod_chip_get_info(self->chip);
    if (self->info) return self;
    int code = errno;
    cgpiod_chip_close(self);
    errno = code;
    return 0;
}

static inline const char *cgpiod_chip_name(struct cgpiod_chip *self) { return gpiod_chip_info_get_name(self->info); }
static inline const char *cgpiod_chip_label(struct cgpiod_chip *self) { return gpiod_chip_info_get_label(self->info); }
static inline unsigned int cgpiod_chip_lines(struct cgpiod_chip *self) {
    return (unsigned int)gpiod_chip_info_get_num_lines(self->info);
}

static inline cgpiod_info *cgpiod_info_get(struct cgpiod_chip *self, unsigned int offset) {
    return gpiod_chip_get_line_info(self->chip, offset);
}
static inline void cgpiod_info_free(cgpiod_info *info) { gpiod_line_info_free(info); }
static inline const char *cgpiod_info_name(cgpiod_info *info) { return gpiod_line_info_get_name(info); }
static inline const char *cgpiod_info_consumer(cgpiod_info *info) { return gpiod_line_info_get_consumer(info); }
static inline bool cgpiod_info_used(cgpiod_info *info) { return gpiod_line_info_is_used(info); }
static inline bool cgpiod_info_output(cgpiod_info *info) {
    return gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
}
static inline bool cgpiod_info_active_low(cgpiod_info *info) { return gpiod_line_info_is_active_low(info); }
static inline int cgpiod_info_bias(cgpiod_info *info) {
    switch (gpiod_line_info_get_bias(info)) {
    case GPIOD_LINE_BIAS_DISABLED: return CGPIOD_BIAS_DISABLED;
    case GPIOD_LINE_BIAS_PULL_UP: return CGPIOD_BIAS_PULL_UP;
    case GPIOD_LINE_BIAS_PULL_DOWN: return CGPIOD_BIAS_PULL_DOWN;
    default: return CGPIOD_BIAS_UNKNOWN;
    }
}

// A request in which all lines share one descriptor. The chip does not need to stay open.
struct cgpiod_request {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer;
    int mode;
    size_t count;
    unsigned int offsets[];
};

static inline void cgpiod_release(struct cgpiod_request *self) {
    if (self->request) gpiod_line_request_release(self->request);
    if (self->buffer) gpiod_edge_event_buffer_free(self->buffer);
    free(self);
}

static inline size_t cgpiod_descriptors(const struct cgpiod_request *self) {
    return self->mode == CGPIOD_EDGES ? 1 : 0;
}

static inline int cgpiod_descriptor(const struct cgpiod_request *self, size_t index) {
    (void)index;
    return gpiod_line_request_get_fd(self->request);
}

static inline int cgpiod_add_line(
    struct gpiod_line_config *config, const struct cgpiod_wanted *wanted, int mode) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return -1;
    enum gpiod_line_bias bias = wanted->bias == CGPIOD_BIAS_DISABLED    ? GPIOD_LINE_BIAS_DISABLED
                                : wanted->bias == CGPIOD_BIAS_PULL_UP   ? GPIOD_LINE_BIAS_PULL_UP
                                : wanted->bias == CGPIOD_BIAS_PULL_DOWN ? GPIOD_LINE_BIAS_PULL_DOWN
                                                                        : GPIOD_LINE_BIAS_AS_IS;
    int result = gpiod_line_settings_set_bias(settings, bias);
    // The kernel rejects a bias unless the request also makes the line an input.
    if ((mode != CGPIOD_AS_IS || bias != GPIOD_LINE_BIAS_AS_IS) && result == 0)
        result = gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    if (mode == CGPIOD_EDGES && result == 0)
        result = gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    if (result == 0) result = gpiod_line_config_add_line_settings(config, &wanted->offset, 1, settings);
    int code = errno;
    gpiod_line_settings_free(settings);
    errno = code;
    return result;
}

// Requests all lines, or fails. The mode is one of the constants above.
static inline struct cgpiod_request *cgpiod_request_lines(
    const char *path, const struct cgpiod_wanted *wanted, size_t count, const char *consumer, int mode) {
    // This is the size of the kernel's queue for each line, and the maximum number of edges that are read at once. A
    // bouncing contact produces fewer edges.
    enum { queue = 64 };
    struct cgpiod_request *self =
        (struct cgpiod_request *)calloc(1, sizeof *self + count * sizeof(unsigned int));
    if (!self) return 0;
    self->mode = mode;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_request_config *request = chip ? gpiod_request_config_new() : 0;
    struct gpiod_line_config *config = request ? gpiod_line_config_new() : 0;
    bool ready = config && (self->buffer = gpiod_edge_event_buffer_new(queue));
    for (; ready && self->count < count; self->count++) {
        self->offsets[self->count] = wanted[self->count].offset;
        ready = cgpiod_add_line(config, wanted + self->count, mode) == 0;
    }
    if (ready) {
        gpiod_request_config_set_consumer(request, consumer);
        gpiod_request_config_set_event_buffer_size(request, queue * count);
        self->request = gpiod_chip_request_lines(chip, request, config);
        ready = self->request && fcntl(cgpiod_descriptor(self, 0), F_SETFL, O_NONBLOCK) == 0;
    }
    int code = errno;
    if (config) gpiod_line_config_free(config);
    if (request) gpiod_request_config_free(request);
    if (chip) gpiod_chip_close(chip);
    if (ready) return self;
    cgpiod_release(self);
    errno = code;
    return 0;
}

// Reads the level of each line, in the order of the request.
static inline int cgpiod_levels(struct cgpiod_request *self, bool *levels) {
    enum gpiod_line_value *values = (enum gpiod_line_value *)calloc(self->count, sizeof *values);
    if (!values) return -1;
    int result = gpiod_line_request_get_values_subset(self->request, self->count, self->offsets, values);
    for (size_t index = 0; result == 0 && index < self->count; index++)
        levels[index] = values[index] == GPIOD_LINE_VALUE_ACTIVE;
    int code = errno;
    free(values);
    errno = code;
    return result;
}

// Reads at most `capacity` queued edges from a descriptor. Returns 0 if none are queued.
static inline int cgpiod_read_edges(
    struct cgpiod_request *self, size_t index, struct cgpiod_edge *edges, size_t capacity) {
    (void)index;
    int count = gpiod_line_request_read_edge_events(self->request, self->buffer, capacity);
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    for (int event = 0; event < count; event++) {
        struct gpiod_edge_event *read = gpiod_edge_event_buffer_get_event(self->buffer, (unsigned long)event);
        edges[event].offset = gpiod_edge_event_get_line_offset(read);
        edges[event].level = gpiod_edge_event_get_event_type(read) == GPIOD_EDGE_EVENT_RISING_EDGE;
        edges[event].time = (int64_t)gpiod_edge_event_get_timestamp_ns(read);
    }
    return count;
}

// A driven line. The chip does not need to stay open.
struct cgpiod_output {
    struct gpiod_line_request *request;
    unsigned int offset;
};

static inline void cgpiod_output_release(struct cgpiod_output *self) {
    if (self->request) gpiod_line_request_release(self->request);
    free(self);
}

static inline struct gpiod_line_config *cgpiod_output_config(struct cgpiod_driven driven) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *config = settings ? gpiod_line_config_new() : 0;
    enum gpiod_line_bias bias = driven.bias == CGPIOD_BIAS_DISABLED    ? GPIOD_LINE_BIAS_DISABLED
                                : driven.bias == CGPIOD_BIAS_PULL_UP   ? GPIOD_LINE_BIAS_PULL_UP
                                : driven.bias == CGPIOD_BIAS_PULL_DOWN ? GPIOD_LINE_BIAS_PULL_DOWN
                                                                       : GPIOD_LINE_BIAS_AS_IS;
    enum gpiod_line_drive drive = driven.drive == CGPIOD_DRIVE_OPEN_DRAIN    ? GPIOD_LINE_DRIVE_OPEN_DRAIN
                                  : driven.drive == CGPIOD_DRIVE_OPEN_SOURCE ? GPIOD_LINE_DRIVE_OPEN_SOURCE
                                                                             : GPIOD_LINE_DRIVE_PUSH_PULL;
    enum gpiod_line_value value = driven.level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    bool ready = config && gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) == 0 &&
                 gpiod_line_settings_set_bias(settings, bias) == 0 &&
                 gpiod_line_settings_set_drive(settings, drive) == 0 &&
                 gpiod_line_settings_set_output_value(settings, value) == 0 &&
                 gpiod_line_config_add_line_settings(config, &driven.offset, 1, settings) == 0;
    int code = errno;
    if (settings) gpiod_line_settings_free(settings);
    if (!ready && config) gpiod_line_config_free(config);
    errno = code;
    return ready ? config : 0;
}

// Makes a line an output that drives its initial level from the start.
static inline struct cgpiod_output *cgpiod_output_request(
    const char *path, struct cgpiod_driven driven, const char *consumer) {
    struct cgpiod_output *self = (struct cgpiod_output *)calloc(1, sizeof *self);
    if (!self) return 0;
    self->offset = driven.offset;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_request_config *request = chip ? gpiod_request_config_new() : 0;
    struct gpiod_line_config *config = request ? cgpiod_output_config(driven) : 0;
    if (config) {
        gpiod_request_config_set_consumer(request, consumer);
        self->request = gpiod_chip_request_lines(chip, request, config);
    }
    int code = errno;
    if (config) gpiod_line_config_free(config);
    if (request) gpiod_request_config_free(request);
    if (chip) gpiod_chip_close(chip);
    if (self->request) return self;
    cgpiod_output_release(self);
    errno = code;
    return 0;
}

static inline int cgpiod_output_set(struct cgpiod_output *self, bool level) {
    return gpiod_line_request_set_value(
        self->request, self->offset, level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

// Fails if the chip has disappeared.
static inline int cgpiod_output_check(struct cgpiod_output *self) {
    return gpiod_line_request_get_value(self->request, self->offset) == GPIOD_LINE_VALUE_ERROR ? -1 : 0;
}

#endif
