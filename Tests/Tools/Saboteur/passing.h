// Calls the real function from one that has its name.
#pragma once
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <stdatomic.h>

// Greater than 0 while the calling thread is inside a watched library.
extern __thread int saboteur_inside;

#define REAL(function) ((typeof(&function))dlsym(RTLD_NEXT, #function))
#define PASS(type, function, ...)                            \
    saboteur_inside++;                                       \
    static _Atomic(typeof(&function)) real;                  \
    if (!real) real = REAL(function);                        \
    type result = real(__VA_ARGS__);                         \
    saboteur_inside--;                                       \
    return result

// The simulated card's part of calls that can also be made to fail. They return 1 if the PCM is the card.
int card_avail(snd_pcm_t *pcm, snd_pcm_sframes_t *result);
int card_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delay, int *result);
int card_write(snd_pcm_t *pcm, const void *samples, snd_pcm_uframes_t frames, snd_pcm_sframes_t *result);
int card_prepare(snd_pcm_t *pcm, int *result);
// Adopts the configuration that libasound has accepted.
void card_configure(snd_pcm_t *pcm, snd_pcm_hw_params_t *params);
