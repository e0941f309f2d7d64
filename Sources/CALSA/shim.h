#pragma once
#include <alsa/asoundlib.h>

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
REALTIME int snd_pcm_drop(snd_pcm_t *pcm);
