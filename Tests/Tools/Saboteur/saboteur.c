#define _GNU_SOURCE
#include "saboteur.h"

#include "passing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Plans are made on one thread and read on others. Names are never freed, because a thread may still be comparing one.
typedef _Atomic(const char *) atomic_name;

static const char *keep(const char *name) { return name ? strdup(name) : 0; }

static int is_named(const char *name, atomic_name *wanted) {
    const char *other = *wanted;
    return name && other && !strcmp(name, other);
}

static struct plan {
    atomic_name name;
    atomic_int result, times, hits;
} plans[SABOTEUR_CALLS];

void saboteur_plan(const char *name, enum saboteur_call call, int result, int times) {
    struct plan *plan = &plans[call];
    plan->times = 0;
    plan->name = keep(name);
    plan->result = result;
    plan->hits = 0;
    plan->times = times;
}

int saboteur_hits(enum saboteur_call call) { return plans[call].hits; }

static atomic_name hold_name;
static atomic_int hold_call, held;

void saboteur_hold(const char *name, enum saboteur_call call) {
    hold_name = 0;
    hold_call = call;
    hold_name = keep(name);
}

int saboteur_held(void) { return held; }

static void wait_while_held(const char *name, enum saboteur_call call) {
    if (hold_call != (int)call || !is_named(name, &hold_name)) return;
    // The name may be freed together with its PCM.
    char copy[64] = {0};
    strncpy(copy, name, sizeof copy - 1);
    held++;
    while (hold_call == (int)call && is_named(copy, &hold_name)) poll(0, 0, 1);
    held--;
}

static int strikes(const char *name, enum saboteur_call call) {
    struct plan *plan = &plans[call];
    wait_while_held(name, call);
    if (!is_named(name, &plan->name)) return 0;
    int left = plan->times;
    do {
        if (left <= 0) return 0;
    } while (!atomic_compare_exchange_weak(&plan->times, &left, left - 1));
    plan->hits++;
    return 1;
}

// MARK: libasound

__thread int saboteur_inside;

int snd_pcm_open_lconf(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode, snd_config_t *config) {
    if (strikes(name, SABOTEUR_OPEN)) return plans[SABOTEUR_OPEN].result;
    PASS(int, snd_pcm_open_lconf, pcm, name, stream, mode, config);
}

static atomic_name missing_card;
static atomic_int missing_card_result;

void saboteur_plan_card(const char *name, int result) {
    missing_card_result = result;
    missing_card = keep(name);
}

int snd_pcm_open(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode) {
    int is_missing = is_named(name, &missing_card);
    if (is_missing && missing_card_result < 0) return missing_card_result;
    PASS(int, snd_pcm_open, pcm, is_missing ? "null" : name, stream, mode);
}

int snd_pcm_hw_params(snd_pcm_t *pcm, snd_pcm_hw_params_t *params) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_HW_PARAMS)) return plans[SABOTEUR_HW_PARAMS].result;
    saboteur_inside++;
    int result = REAL(snd_pcm_hw_params)(pcm, params);
    saboteur_inside--;
    if (result >= 0) card_configure(pcm, params);
    return result;
}

int snd_pcm_sw_params(snd_pcm_t *pcm, snd_pcm_sw_params_t *params) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_SW_PARAMS)) return plans[SABOTEUR_SW_PARAMS].result;
    PASS(int, snd_pcm_sw_params, pcm, params);
}

int snd_pcm_prepare(snd_pcm_t *pcm) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_PREPARE)) return plans[SABOTEUR_PREPARE].result;
    int answer;
    // The card's own PCM, which plays nothing, also has to be prepared.
    if (card_prepare(pcm, &answer) && answer < 0) return answer;
    PASS(int, snd_pcm_prepare, pcm);
}

int snd_pcm_resume(snd_pcm_t *pcm) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_RESUME)) return plans[SABOTEUR_RESUME].result;
    PASS(int, snd_pcm_resume, pcm);
}

snd_pcm_sframes_t snd_pcm_avail(snd_pcm_t *pcm) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_AVAIL)) return plans[SABOTEUR_AVAIL].result;
    snd_pcm_sframes_t answer;
    if (card_avail(pcm, &answer)) return answer;
    PASS(snd_pcm_sframes_t, snd_pcm_avail, pcm);
}

int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delay) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_DELAY)) {
        if (plans[SABOTEUR_DELAY].result < 0) return plans[SABOTEUR_DELAY].result;
        *delay = -plans[SABOTEUR_DELAY].result;
        return 0;
    }
    int answer;
    if (card_delay(pcm, delay, &answer)) return answer;
    PASS(int, snd_pcm_delay, pcm, delay);
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_WRITE)) {
        if (plans[SABOTEUR_WRITE].result < 0) return plans[SABOTEUR_WRITE].result;
        if (size > (snd_pcm_uframes_t)plans[SABOTEUR_WRITE].result) size = plans[SABOTEUR_WRITE].result;
    }
    snd_pcm_sframes_t answer;
    if (card_write(pcm, buffer, size, &answer)) return answer;
    PASS(snd_pcm_sframes_t, snd_pcm_writei, pcm, buffer, size);
}

snd_pcm_sframes_t snd_pcm_readi(snd_pcm_t *pcm, void *buffer, snd_pcm_uframes_t size) {
    if (strikes(snd_pcm_name(pcm), SABOTEUR_READ)) {
        if (plans[SABOTEUR_READ].result < 0) return plans[SABOTEUR_READ].result;
        if (size > (snd_pcm_uframes_t)plans[SABOTEUR_READ].result) size = plans[SABOTEUR_READ].result;
    }
    PASS(snd_pcm_sframes_t, snd_pcm_readi, pcm, buffer, size);
}

int snd_pcm_close(snd_pcm_t *pcm) {
    wait_while_held(snd_pcm_name(pcm), SABOTEUR_CLOSE);
    PASS(int, snd_pcm_close, pcm);
}

static atomic_name format_name;
static atomic_int format_rate, format_channels;

void saboteur_plan_format(const char *name, int rate, int channels) {
    format_name = keep(name);
    format_rate = rate;
    format_channels = channels;
}

int snd_pcm_hw_params_set_rate_near(snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned int *rate, int *direction) {
    if (format_rate && is_named(snd_pcm_name(pcm), &format_name)) *rate = format_rate;
    PASS(int, snd_pcm_hw_params_set_rate_near, pcm, params, rate, direction);
}

int snd_pcm_hw_params_set_channels_near(snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned int *channels) {
    if (format_channels && is_named(snd_pcm_name(pcm), &format_name)) *channels = format_channels;
    PASS(int, snd_pcm_hw_params_set_channels_near, pcm, params, channels);
}

// MARK: Files

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

static atomic_name read_folder;
static atomic_int read_error, read_milliseconds;

void saboteur_plan_reads(const char *folder, int error, int milliseconds) {
    read_folder = 0;
    read_error = error;
    read_milliseconds = milliseconds;
    read_folder = keep(folder);
}

static int is_sabotaged(int descriptor) {
    char link[64], path[512];
    const char *folder = read_folder;
    if (!folder) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    return length > 0 && memmem(path, length, folder, strlen(folder)) != 0;
}

// Delays a read as planned. Returns true if the read has to fail.
static int fails(int descriptor) {
    if (!is_sabotaged(descriptor)) return 0;
    if (read_milliseconds) poll(0, 0, read_milliseconds);
    if (read_error) errno = read_error;
    return read_error != 0;
}

ssize_t read(int descriptor, void *buffer, size_t size) {
    if (fails(descriptor)) return -1;
    static _Atomic(typeof(&read)) real;
    if (!real) real = REAL(read);
    return real(descriptor, buffer, size);
}

ssize_t pread(int descriptor, void *buffer, size_t size, off_t offset) {
    if (fails(descriptor)) return -1;
    static _Atomic(typeof(&pread)) real;
    if (!real) real = REAL(pread);
    return real(descriptor, buffer, size, offset);
}

// MARK: Memory

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

#ifdef SANITIZED

// ThreadSanitizer does not support this call, and would treat a thread joined by it as still running.
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline) {
    struct timespec now, real;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &real);
    real.tv_sec += deadline->tv_sec - now.tv_sec;
    real.tv_nsec += deadline->tv_nsec - now.tv_nsec;
    if (real.tv_nsec < 0) real.tv_sec--, real.tv_nsec += 1000000000;
    if (real.tv_nsec >= 1000000000) real.tv_sec++, real.tv_nsec -= 1000000000;
    return pthread_timedjoin_np(thread, result, &real);
}

// The sanitizer replaces `malloc` itself.
int saboteur_counts(void) { return 0; }
void saboteur_watch(int id) {}
long saboteur_own_allocations(void) { return 0; }
long saboteur_allocations(void) { return 0; }

#else

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
    if (!saboteur_inside) own_count++;
}

int saboteur_counts(void) { return 1; }

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

#endif

int saboteur_thread(void) { return gettid(); }
