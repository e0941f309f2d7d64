/* Makes a sound card report rewinding inaccurately. This library is preloaded, between libasound and the kernel's
 * driver.
 *
 * LIAR_KEPT=N    the card keeps this many of every hundred frames that it reports as given back
 * LIAR_LATE=N    the card plays this many more frames before it gives any back, as if its reported position lagged */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/ioctl.h>
#include <sound/asound.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

int ioctl(int file, unsigned long request, ...) {
    static int (*real)(int, unsigned long, ...);
    if (!real) real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (request != SNDRV_PCM_IOCTL_REWIND) return real(file, request, argument);
    long late = number("LIAR_LATE");
    if (late > 0) nanosleep(&(struct timespec){.tv_nsec = late * 1000000000 / 48000}, 0);
    snd_pcm_uframes_t *frames = argument, wanted = *frames;
    *frames = wanted - wanted * number("LIAR_KEPT") / 100;
    int code = real(file, request, frames);
    if (code >= 0) *frames = wanted;
    return code;
}
