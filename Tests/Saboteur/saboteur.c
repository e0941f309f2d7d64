#define _GNU_SOURCE
#include "saboteur.h"

#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static struct plan {
    char name[64];
    atomic_int result, times, hits;
} plans[SABOTEUR_CALLS];

void saboteur_plan(const char *name, enum saboteur_call call, int result, int times) {
    struct plan *plan = &plans[call];
    plan->times = 0;
    strncpy(plan->name, name, sizeof plan->name - 1);
    plan->result = result;
    plan->hits = 0;
    plan->times = times;
}

int saboteur_hits(enum saboteur_call call) { return plans[call].hits; }

static int strikes(const char *name, enum saboteur_call call) {
    struct plan *plan = &plans[call];
    if (!name || strcmp(name, plan->name)) return 0;
    int left = plan->times;
    do {
        if (left <= 0) return 0;
    } while (!atomic_compare_exchange_weak(&plan->times, &left, left - 1));
    plan->hits++;
    return 1;
}

// MARK: libasound

static __thread int inside;

#define REAL(function) ((typeof(&function))dlsym(RTLD_NEXT, #function))
#define PASS(type, function, ...)                            \
    inside++;                                                \
    static typeof(&function) real;                           \
    if (!real) real = REAL(function);                        \
    type result = real(__VA_ARGS__);                         \
    inside--;                                                \
    return result

int snd_pcm_open_lconf(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode, snd_config_t *config) {
    if (strikes(name, SABOTEUR_OPEN)) return plans[SABOTEUR_OPEN].result;
    PASS(int, snd_pcm_open_lconf, pcm, name, stream, mode, config);
}

int snd_pcm_hw_params(snd_pcm_t *pcm, snd_pcm_hw_params_t *params) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_HW_PARAMS)) return plans[SABOTEUR_HW_PARAMS].result;
    PASS(int, snd_pcm_hw_params, pcm, params);
}

int snd_pcm_sw_params(snd_pcm_t *pcm, snd_pcm_sw_params_t *params) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_SW_PARAMS)) return plans[SABOTEUR_SW_PARAMS].result;
    PASS(int, snd_pcm_sw_params, pcm, params);
}

int snd_pcm_prepare(snd_pcm_t *pcm) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_PREPARE)) return plans[SABOTEUR_PREPARE].result;
    PASS(int, snd_pcm_prepare, pcm);
}

int snd_pcm_resume(snd_pcm_t *pcm) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_RESUME)) return plans[SABOTEUR_RESUME].result;
    PASS(int, snd_pcm_resume, pcm);
}

snd_pcm_sframes_t snd_pcm_avail(snd_pcm_t *pcm) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_AVAIL)) return plans[SABOTEUR_AVAIL].result;
    PASS(snd_pcm_sframes_t, snd_pcm_avail, pcm);
}

int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delay) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_DELAY)) {
        if (plans[SABOTEUR_DELAY].result < 0) return plans[SABOTEUR_DELAY].result;
        *delay = -plans[SABOTEUR_DELAY].result;
        return 0;
    }
    PASS(int, snd_pcm_delay, pcm, delay);
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_WRITE)) {
        if (plans[SABOTEUR_WRITE].result < 0) return plans[SABOTEUR_WRITE].result;
        if (size > (snd_pcm_uframes_t)plans[SABOTEUR_WRITE].result) size = plans[SABOTEUR_WRITE].result;
    }
    PASS(snd_pcm_sframes_t, snd_pcm_writei, pcm, buffer, size);
}

static char format_name[64];
static atomic_int format_rate, format_channels;

void saboteur_plan_format(const char *name, int rate, int channels) {
    strncpy(format_name, name, sizeof format_name - 1);
    format_rate = rate;
    format_channels = channels;
}

int snd_pcm_hw_params_set_rate_near(snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned int *rate, int *direction) {
    if (format_rate && !strcmp(snd_pcm_name(pcm), format_name)) *rate = format_rate;
    PASS(int, snd_pcm_hw_params_set_rate_near, pcm, params, rate, direction);
}

int snd_pcm_hw_params_set_channels_near(snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned int *channels) {
    if (format_channels && !strcmp(snd_pcm_name(pcm), format_name)) *channels = format_channels;
    PASS(int, snd_pcm_hw_params_set_channels_near, pcm, params, channels);
}

// MARK: files

static char open_folder[256];
static atomic_int open_error;

void saboteur_plan_opens(const char *folder, int error) {
    open_error = 0;
    if (!folder) return;
    strncpy(open_folder, folder, sizeof open_folder - 1);
    open_error = error;
}

int open(const char *path, int flags, ...) {
    if (open_error && strstr(path, open_folder)) {
        errno = open_error;
        return -1;
    }
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    static typeof(&open) real;
    if (!real) real = REAL(open);
    return real(path, flags, mode);
}

static char read_folder[256];
static atomic_int read_is_planned, read_error, read_milliseconds;

void saboteur_plan_reads(const char *folder, int error, int milliseconds) {
    read_is_planned = 0;
    if (!folder) return;
    strncpy(read_folder, folder, sizeof read_folder - 1);
    read_error = error;
    read_milliseconds = milliseconds;
    read_is_planned = 1;
}

static int is_sabotaged(int descriptor) {
    char link[64], path[512];
    if (!read_is_planned) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    return length > 0 && memmem(path, length, read_folder, strlen(read_folder)) != 0;
}

ssize_t read(int descriptor, void *buffer, size_t size) {
    if (is_sabotaged(descriptor)) {
        if (read_milliseconds) poll(0, 0, read_milliseconds);
        if (read_error) {
            errno = read_error;
            return -1;
        }
    }
    static typeof(&read) real;
    if (!real) real = REAL(read);
    return real(descriptor, buffer, size);
}

// MARK: memory

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_int watched;
static atomic_long own_count, count;
static __thread int thread;

static void note(void) {
    int wanted = watched;
    if (!wanted) return;
    if (!thread) thread = gettid();
    if (thread != wanted) return;
    count++;
    if (!inside) own_count++;
}

void saboteur_watch(int id) {
    own_count = 0;
    count = 0;
    watched = id;
}

long saboteur_own_allocations(void) { return own_count; }
long saboteur_allocations(void) { return count; }

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { note(); return __libc_calloc(number, size); }
void *realloc(void *memory, size_t size) { note(); return __libc_realloc(memory, size); }
void free(void *memory) { note(); __libc_free(memory); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
    note();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
int saboteur_thread(void) { return gettid(); }
