/* Records the far end of the sound card, which is exactly what the player writes, from boot to power cut.
 *
 * usage: ear DEVICE SOUND INDEX
 * SOUND receives frames of two 32-bit samples (little endian). INDEX receives a line "at FRAME NANOSECONDS" for each
 * reading, with the number of frames that had been received at that time (CLOCK_MONOTONIC). For each seam in the
 * recording, it receives "open FRAME NANOSECONDS", "lost FRAME NANOSECONDS" or "overrun FRAME NANOSECONDS".
 * A card that disappears is opened again when it returns. */
#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Reads often, because frames that are in the card when it disappears are lost. Writes rarely, because each write is a
 * call to another machine. */
enum { RATE = 48000, CHANNELS = 2, PERIOD = RATE / 50, BLOCK = RATE / 10, MOST = 4 * BLOCK };

static int sound_file, index_file;
static int32_t block[MOST * CHANNELS];
static snd_pcm_sframes_t filled;
static int64_t total;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void note(const char *word, int64_t frame, int64_t time) {
    char line[80];
    int length = snprintf(line, sizeof line, "%s %lld %lld\n", word, (long long)frame, (long long)time);
    if (write(index_file, line, (size_t)length) < 0) perror("ear: index");
}

/* Does the same as sd_notify(), so that the units after this one start only when the recording has begun. */
static void ready(void) {
    static int notified;
    const char *path = getenv("NOTIFY_SOCKET");
    if (notified || !path) return;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    if (address.sun_path[0] == '@') address.sun_path[0] = 0;
    int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sendto(s, "READY=1", 7, 0, (struct sockaddr *)&address, length);
    close(s);
    notified = 1;
}

static void keep(void) {
    const char *from = (const char *)block;
    size_t left = (size_t)filled * CHANNELS * sizeof *block;
    while (left) {
        ssize_t written = write(sound_file, from, left);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) { perror("ear: sound"); exit(1); }
        from += written;
        left -= (size_t)written;
    }
    total += filled;
    filled = 0;
}

static snd_pcm_t *listen_to(const char *device) {
    snd_pcm_t *pcm;
    snd_pcm_hw_params_t *hardware;
    snd_pcm_sw_params_t *software;
    /* The buffer holds two seconds, because a virtual machine may stall for a long time. */
    snd_pcm_uframes_t buffer = 2 * RATE, period = PERIOD;
    if (snd_pcm_open(&pcm, device, SND_PCM_STREAM_CAPTURE, 0) < 0) return NULL;
    snd_pcm_hw_params_alloca(&hardware);
    snd_pcm_sw_params_alloca(&software);
    if (snd_pcm_hw_params_any(pcm, hardware) < 0
        || snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED) < 0
        || snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S32_LE) < 0
        || snd_pcm_hw_params_set_channels(pcm, hardware, CHANNELS) < 0
        || snd_pcm_hw_params_set_rate(pcm, hardware, RATE, 0) < 0
        || snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer) < 0
        || snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, NULL) < 0
        || snd_pcm_hw_params(pcm, hardware) < 0
        || snd_pcm_sw_params_current(pcm, software) < 0
        || snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE) < 0
        || snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC) < 0
        || snd_pcm_sw_params(pcm, software) < 0
        || snd_pcm_start(pcm) < 0) {
        snd_pcm_close(pcm);
        return NULL;
    }
    return pcm;
}

static void hear(snd_pcm_t *pcm) {
    snd_pcm_uframes_t available;
    snd_htimestamp_t stamp;
    for (;;) {
        int code = snd_pcm_wait(pcm, 1000);
        snd_pcm_sframes_t count = code < 0 ? code : snd_pcm_avail_update(pcm);
        int write = filled + count >= BLOCK;
        if (write && snd_pcm_htimestamp(pcm, &available, &stamp) == 0 && available)
            note("at", total + filled + (int64_t)available, (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec);
        if (count > MOST - filled) count = MOST - filled;
        if (count > 0) count = snd_pcm_readi(pcm, block + filled * CHANNELS, (snd_pcm_uframes_t)count);
        if (count > 0) {
            filled += count;
            if (write) keep();
            ready();
        } else if (count == -EPIPE) {
            keep();
            note("overrun", total, now());
            if (snd_pcm_prepare(pcm) < 0 || snd_pcm_start(pcm) < 0) return;
        } else if (count < 0 && count != -EAGAIN && count != -EINTR) {
            return;
        }
    }
}

/* libasound prints each failure, and there are many while the card is missing. */
static void silence(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: ear DEVICE SOUND INDEX\n");
        return 64;
    }
    sound_file = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    index_file = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (sound_file < 0 || index_file < 0) {
        perror("ear");
        return 1;
    }
    snd_lib_error_set_handler(silence);
    for (;;) {
        snd_pcm_t *pcm = listen_to(argv[1]);
        if (pcm) {
            note("open", total, now());
            hear(pcm);
            snd_pcm_close(pcm);
            keep();
            note("lost", total, now());
            snd_config_update_free_global();
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}
