#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <time.h>

// libasound's calls for a running stream, declared again with the attributes that Swift's compiler requires in
// real-time code. The type of the PCM determines whether they really neither lock nor allocate. A PCM of type `hw` does
// neither, but a plug-in for a sound server may do both.
#define REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
REALTIME snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size);
REALTIME snd_pcm_sframes_t snd_pcm_readi(snd_pcm_t *pcm, void *buffer, snd_pcm_uframes_t size);
REALTIME snd_pcm_sframes_t snd_pcm_avail(snd_pcm_t *pcm);
REALTIME int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delayp);
REALTIME snd_pcm_state_t snd_pcm_state(snd_pcm_t *pcm);
REALTIME int snd_pcm_prepare(snd_pcm_t *pcm);
REALTIME int snd_pcm_start(snd_pcm_t *pcm);
REALTIME int snd_pcm_resume(snd_pcm_t *pcm);
REALTIME snd_pcm_sframes_t snd_pcm_rewindable(snd_pcm_t *pcm);
REALTIME snd_pcm_sframes_t snd_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames);
REALTIME int snd_pcm_drop(snd_pcm_t *pcm);
REALTIME snd_pcm_stream_t snd_pcm_stream(snd_pcm_t *pcm);

// Returns the time of CLOCK_MONOTONIC in nanoseconds. This function is in C because Swift's compiler cannot verify that
// `clock_gettime` neither locks nor allocates.
REALTIME static inline int64_t calsa_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// Turns libasound's error messages off or on again for the calling thread. By default, libasound prints them to
// standard error, which is a nuisance when a caller retries repeatedly. This function is in C because Swift cannot
// implement a variadic handler.
static inline void calsa_ignore(
    const char *file, int line, const char *function, int code, const char *format, va_list arguments) {
    (void)file, (void)line, (void)function, (void)code, (void)format, (void)arguments;
}
static inline void calsa_silence_errors(int silence) { snd_lib_error_set_local(silence ? calsa_ignore : 0); }
