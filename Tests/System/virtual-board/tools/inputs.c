/* A panel whose switch, key, jack and mixer are moved by writing to a pipe.
 *
 * usage: inputs PIPE
 * Creates the input device "Bench Panel" with SW_LID and KEY_PLAYPAUSE, and on the card Loopback the jack "Headphone
 * Jack" and the mixer's switch "Master", which is on. Reads lines such as "lid 1", "key 0", "repeat 1", "jack 0", "master
 * 0" and "wait 700" (ms) from the pipe. "unplug" and "plug" remove the input device and create it again, and "end" ends the program. Prints for each line the time before
 * it (CLOCK_MONOTONIC, nanoseconds) and the line. */
#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <time.h>
#include <unistd.h>

static int device = -1;
static snd_ctl_t *card;
static snd_ctl_elem_value_t *jack, *master;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void plug(void) {
    device = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
    if (device < 0) fail("inputs: /dev/uinput");
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL}, .name = "Bench Panel"};
    if (ioctl(device, UI_SET_EVBIT, EV_SW) || ioctl(device, UI_SET_SWBIT, SW_LID) || ioctl(device, UI_SET_EVBIT, EV_KEY)
        || ioctl(device, UI_SET_KEYBIT, KEY_PLAYPAUSE) || ioctl(device, UI_DEV_SETUP, &setup) || ioctl(device, UI_DEV_CREATE))
        fail("inputs: uinput");
}

static void unplug(void) {
    ioctl(device, UI_DEV_DESTROY);
    close(device);
}

static void emit(int type, int code, int value) {
    struct input_event events[2] = {{.type = (unsigned short)type, .code = (unsigned short)code, .value = value},
                                    {.type = EV_SYN, .code = SYN_REPORT}};
    if (write(device, events, sizeof events) < 0) perror("inputs: event");
}

/* Creates a switch. Its creator owns it until it exits. */
static snd_ctl_elem_value_t *make_switch(snd_ctl_elem_iface_t interface, const char *name) {
    snd_ctl_elem_id_t *id;
    snd_ctl_elem_value_t *value;
    if (snd_ctl_elem_id_malloc(&id) || snd_ctl_elem_value_malloc(&value)) fail("inputs: memory");
    snd_ctl_elem_id_set_interface(id, interface);
    snd_ctl_elem_id_set_name(id, name);
    snd_ctl_elem_remove(card, id);
    int code = snd_ctl_elem_add_boolean(card, id, 1);
    if (code < 0) {
        fprintf(stderr, "inputs: %s: %s\n", name, snd_strerror(code));
        exit(1);
    }
    snd_ctl_elem_value_set_id(value, id);
    return value;
}

static void turn(snd_ctl_elem_value_t *control, int value) {
    snd_ctl_elem_value_set_boolean(control, 0, value);
    if (snd_ctl_elem_write(card, control) < 0) fprintf(stderr, "inputs: the control cannot be set\n");
}

int main(int count, char **words) {
    if (count != 2) return 64;
    plug();
    if (snd_ctl_open(&card, "hw:Loopback", 0)) fail("inputs: card");
    jack = make_switch(SND_CTL_ELEM_IFACE_CARD, "Headphone Jack");
    master = make_switch(SND_CTL_ELEM_IFACE_MIXER, "Master Playback Switch");
    turn(master, 1);
    char line[80];
    /* The pipe is opened for reading and writing, so that it does not end with its first writer. */
    int number = open(words[1], O_RDWR | O_CLOEXEC);
    FILE *pipe = number < 0 ? NULL : fdopen(number, "r");
    if (!pipe) fail("inputs: pipe");
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, pipe)) {
        char what[16] = "";
        int value = 0;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%lld %s", now.tv_sec * 1000000000LL + now.tv_nsec, line);
        sscanf(line, "%15s %d", what, &value);
        if (!strcmp(what, "lid")) emit(EV_SW, SW_LID, value);
        if (!strcmp(what, "key")) emit(EV_KEY, KEY_PLAYPAUSE, value);
        /* Repeats the key, as a keyboard does while a key is held. */
        if (!strcmp(what, "repeat")) for (int i = 0; i < value; i++) emit(EV_KEY, KEY_PLAYPAUSE, 2);
        if (!strcmp(what, "jack")) turn(jack, value);
        if (!strcmp(what, "master")) turn(master, value);
        if (!strcmp(what, "unplug")) unplug();
        if (!strcmp(what, "plug")) plug();
        if (!strcmp(what, "wait")) usleep((useconds_t)value * 1000);
        if (!strcmp(what, "end")) break;
    }
    unplug();
    return 0;
}
