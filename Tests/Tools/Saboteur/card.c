#define _GNU_SOURCE
#include "card.h"

#include "passing.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { RECORDED_FRAMES = 60 * 48000, START_THRESHOLD = 144 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char card_name[64];
static struct card_behaviour behaviour;
static int32_t *recording;
static long recorded, underruns, rewinds, calls;
static int events = -1;

// The configured device.
static long rate, buffer_frames;
static int32_t *buffer;
static snd_pcm_state_t state;
// The numbers of frames since `prepare` that were written, reported as played, and fetched by the hardware.
static long written, reported, fetched;
static int64_t started;
static int is_revealed;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void card_plan(const char *name, struct card_behaviour new_behaviour) {
    pthread_mutex_lock(&lock);
    memset(card_name, 0, sizeof card_name);
    if (name) strncpy(card_name, name, sizeof card_name - 1);
    behaviour = new_behaviour;
    if (!recording) recording = calloc(RECORDED_FRAMES, sizeof *recording);
    recorded = underruns = rewinds = calls = 0;
    if (events >= 0) close(events);
    events = name ? eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) : -1;
    state = SND_PCM_STATE_OPEN;
    pthread_mutex_unlock(&lock);
}

static int is_card(snd_pcm_t *pcm) {
    const char *name = snd_pcm_name(pcm);
    return card_name[0] && name && !strcmp(name, card_name);
}

static void fetch(long end) {
    for (; fetched < end; fetched++) {
        int32_t *frame = buffer + fetched % buffer_frames * 2;
        if (recorded < RECORDED_FRAMES) recording[recorded++] = frame[0];
        // Played frames are overwritten with silence, as Tacet requests from the driver.
        frame[0] = frame[1] = 0;
    }
}

// Plays the frames up to the current time.
static void play(void) {
    calls++;
    if (state != SND_PCM_STATE_RUNNING) return;
    long truth = (now() - started) * rate / 1000000000;
    long step = behaviour.step > 0 ? behaviour.step : 1, lag = is_revealed ? 0 : behaviour.lag;
    long position = truth > lag ? (truth - lag) / step * step : 0;
    if (position > reported) reported = position;
    long heard = truth + behaviour.prefetch;
    fetch(heard < written ? heard : written);
    if (reported < written && (!is_revealed || truth < written)) return;
    reported = written;
    state = SND_PCM_STATE_XRUN;
    underruns++;
}

static snd_pcm_sframes_t room(void) {
    play();
    if (state == SND_PCM_STATE_XRUN) return -EPIPE;
    if (state == SND_PCM_STATE_DISCONNECTED) return -ENODEV;
    return buffer_frames - (written - reported);
}

#define CARD(type, pcm, body)               \
    if (is_card(pcm)) {                     \
        pthread_mutex_lock(&lock);          \
        type card_result = body;            \
        pthread_mutex_unlock(&lock);        \
        return card_result;                 \
    }

void card_unplug(void) {
    pthread_mutex_lock(&lock);
    play();
    state = SND_PCM_STATE_DISCONNECTED;
    uint64_t one = 1;
    ssize_t size = write(events, &one, sizeof one);
    (void)size;
    pthread_mutex_unlock(&lock);
}

const int32_t *card_recording(long *frames) {
    pthread_mutex_lock(&lock);
    play();
    *frames = recorded;
    pthread_mutex_unlock(&lock);
    return recording;
}

long card_underruns(void) { return underruns; }
long card_rewinds(void) { return rewinds; }
long card_calls(void) { return calls; }
long card_queued(void) { return written - reported; }

long card_stale(void) {
    pthread_mutex_lock(&lock);
    play();
    long count = 0;
    for (long frame = written; frame < fetched + buffer_frames; frame++) count += buffer[frame % buffer_frames * 2] != 0;
    pthread_mutex_unlock(&lock);
    return count;
}

// MARK: libasound

snd_pcm_type_t snd_pcm_type(snd_pcm_t *pcm) {
    if (is_card(pcm)) return SND_PCM_TYPE_HW;
    PASS(snd_pcm_type_t, snd_pcm_type, pcm);
}

static int prepare(void) {
    if (state == SND_PCM_STATE_DISCONNECTED) return -ENODEV;
    state = SND_PCM_STATE_PREPARED;
    written = reported = fetched = 0;
    is_revealed = 0;
    if (buffer) memset(buffer, 0, buffer_frames * 2 * sizeof *buffer);
    return 0;
}

void card_configure(snd_pcm_t *pcm, snd_pcm_hw_params_t *params) {
    if (!is_card(pcm)) return;
    pthread_mutex_lock(&lock);
    unsigned int hertz = 0;
    snd_pcm_uframes_t frames = 0;
    snd_pcm_hw_params_get_rate(params, &hertz, 0);
    snd_pcm_hw_params_get_buffer_size(params, &frames);
    rate = hertz;
    buffer_frames = frames;
    free(buffer);
    buffer = calloc(frames * 2, sizeof *buffer);
    prepare();
    pthread_mutex_unlock(&lock);
}

int card_prepare(snd_pcm_t *pcm, int *result) {
    if (!is_card(pcm)) return 0;
    pthread_mutex_lock(&lock);
    *result = prepare();
    pthread_mutex_unlock(&lock);
    return 1;
}

int card_avail(snd_pcm_t *pcm, snd_pcm_sframes_t *result) {
    if (!is_card(pcm)) return 0;
    pthread_mutex_lock(&lock);
    *result = room();
    pthread_mutex_unlock(&lock);
    return 1;
}

static snd_pcm_sframes_t write_frames(const int32_t *samples, long frames) {
    snd_pcm_sframes_t left = room();
    if (left <= 0) return left < 0 ? left : -EAGAIN;
    if (frames > left) frames = left;
    for (long index = 0; index < frames; index++, written++)
        memcpy(buffer + written % buffer_frames * 2, samples + index * 2, 2 * sizeof *samples);
    if (state == SND_PCM_STATE_PREPARED && written >= START_THRESHOLD) {
        state = SND_PCM_STATE_RUNNING;
        started = now();
    }
    return frames;
}

int card_write(snd_pcm_t *pcm, const void *samples, snd_pcm_uframes_t frames, snd_pcm_sframes_t *result) {
    if (!is_card(pcm)) return 0;
    pthread_mutex_lock(&lock);
    *result = write_frames(samples, frames);
    pthread_mutex_unlock(&lock);
    return 1;
}

int card_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delay, int *result) {
    if (!is_card(pcm)) return 0;
    pthread_mutex_lock(&lock);
    snd_pcm_sframes_t left = room();
    *result = left < 0 ? (int)left : 0;
    *delay = written - reported;
    pthread_mutex_unlock(&lock);
    return 1;
}

snd_pcm_state_t snd_pcm_state(snd_pcm_t *pcm) {
    CARD(snd_pcm_state_t, pcm, (play(), state))
    PASS(snd_pcm_state_t, snd_pcm_state, pcm);
}

static snd_pcm_sframes_t rewindable(void) {
    snd_pcm_sframes_t left = room();
    return left < 0 ? left : written - reported;
}

snd_pcm_sframes_t snd_pcm_rewindable(snd_pcm_t *pcm) {
    CARD(snd_pcm_sframes_t, pcm, rewindable())
    PASS(snd_pcm_sframes_t, snd_pcm_rewindable, pcm);
}

static snd_pcm_sframes_t rewind_frames(long frames) {
    snd_pcm_sframes_t most = rewindable();
    if (most < 0) return most;
    if (frames > most) frames = most;
    rewinds++;
    written -= frames - frames * behaviour.kept_percent / 100;
    is_revealed = 1;
    return frames;
}

snd_pcm_sframes_t snd_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames) {
    CARD(snd_pcm_sframes_t, pcm, rewind_frames(frames))
    PASS(snd_pcm_sframes_t, snd_pcm_rewind, pcm, frames);
}

int snd_pcm_poll_descriptors_count(snd_pcm_t *pcm) {
    if (is_card(pcm)) return 1;
    PASS(int, snd_pcm_poll_descriptors_count, pcm);
}

int snd_pcm_poll_descriptors(snd_pcm_t *pcm, struct pollfd *entries, unsigned int space) {
    if (is_card(pcm) && space > 0) {
        *entries = (struct pollfd){.fd = events, .events = POLLIN};
        return 1;
    }
    PASS(int, snd_pcm_poll_descriptors, pcm, entries, space);
}
