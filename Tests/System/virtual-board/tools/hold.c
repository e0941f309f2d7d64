/* Holds a sound device, as another player would.
 *
 * usage: hold DEVICE
 * Opens the device for playback, and keeps it until it is killed. */
#include <alsa/asoundlib.h>
#include <unistd.h>

int main(int count, char **words) {
    snd_pcm_t *pcm;
    if (count != 2) return 64;
    int code = snd_pcm_open(&pcm, words[1], SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (code < 0) {
        fprintf(stderr, "hold: %s: %s\n", words[1], snd_strerror(code));
        return 1;
    }
    for (;;) pause();
}
