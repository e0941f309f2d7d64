#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>

// libasound's calls of a running stream, declared again with a promise that Swift's compiler asks for before it lets
// a real-time thread call them. What happens inside is up to the PCM's type: nothing of the sort in `hw`, while a
// plug-in that talks to a sound server may allocate.
#define REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
REALTIME snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size);
REALTIME snd_pcm_sframes_t snd_pcm_avail(snd_pcm_t *pcm);
REALTIME int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delayp);
REALTIME snd_pcm_state_t snd_pcm_state(snd_pcm_t *pcm);
REALTIME int snd_pcm_prepare(snd_pcm_t *pcm);
REALTIME int snd_pcm_start(snd_pcm_t *pcm);
REALTIME int snd_pcm_resume(snd_pcm_t *pcm);
REALTIME snd_pcm_sframes_t snd_pcm_rewindable(snd_pcm_t *pcm);
REALTIME snd_pcm_sframes_t snd_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames);
REALTIME int snd_pcm_drop(snd_pcm_t *pcm);

// libasound explains its errors on standard error. Whoever tries the same thing again and again has heard it: this
// makes the calling thread's calls silent, or lets them speak again. The handler is variadic, which Swift cannot write.
static inline void calsa_ignore(
    const char *file, int line, const char *function, int code, const char *format, va_list arguments) {
    (void)file, (void)line, (void)function, (void)code, (void)format, (void)arguments;
}
static inline void calsa_hush(int hush) { snd_lib_error_set_local(hush ? calsa_ignore : 0); }
