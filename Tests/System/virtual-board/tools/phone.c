/* Shows voice calls on the system bus as oFono does, and asserts Tacet's signals as a program would. It takes the place
 * of oFono with a modem, which an emulated board does not have.
 *
 * usage: phone PIPE
 * Owns org.ofono, with one modem. Reads lines such as "ring", "answer", "hangup" and "wait 700" (ms) from the pipe.
 * "assert NAME" and "deassert NAME" call SetSignal, and "end" ends the program. Prints for each line the time before it
 * (CLOCK_MONOTONIC, nanoseconds) and the line. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#define MODEM "/modem"
#define CALL "/modem/voicecall01"
#define MANAGER "org.ofono.VoiceCallManager"

/* NULL if there is no call. */
static const char *state;

static void check(int code, const char *what) {
    if (code >= 0) return;
    fprintf(stderr, "phone: %s: %s\n", what, strerror(-code));
    exit(1);
}

static int modems(sd_bus_message *request, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    sd_bus_message *answer;
    int code = sd_bus_message_new_method_return(request, &answer);
    if (code >= 0)
        code = sd_bus_message_append(answer, "a(oa{sv})", 1, MODEM, 1, "Interfaces", "as", 1, MANAGER);
    if (code >= 0) code = sd_bus_send(NULL, answer, NULL);
    sd_bus_message_unref(answer);
    return code;
}

static int calls(sd_bus_message *request, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    if (state) return sd_bus_reply_method_return(request, "a(oa{sv})", 1, CALL, 1, "State", "s", state);
    return sd_bus_reply_method_return(request, "a(oa{sv})", 0);
}

static const sd_bus_vtable manager[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("GetModems", "", "a(oa{sv})", modems, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};
static const sd_bus_vtable voice[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("GetCalls", "", "a(oa{sv})", calls, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};

static void set_signal(sd_bus *bus, const char *name, int asserted) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int code = sd_bus_call_method(bus, "org.mpris.MediaPlayer2.tacet", "/org/mpris/MediaPlayer2", "org.tacet.Session1",
                                  "SetSignal", &error, NULL, "sbt", name, asserted, (uint64_t)0);
    check(code, error.message ? error.message : "SetSignal");
}

static void act(sd_bus *bus, const char *what, const char *name) {
    if (!strcmp(what, "ring")) {
        state = "incoming";
        check(sd_bus_emit_signal(bus, MODEM, MANAGER, "CallAdded", "oa{sv}", CALL, 1, "State", "s", state), "ring");
    } else if (!strcmp(what, "answer")) {
        state = "active";
        check(sd_bus_emit_signal(bus, CALL, "org.ofono.VoiceCall", "PropertyChanged", "sv", "State", "s", state), what);
    } else if (!strcmp(what, "hangup")) {
        state = NULL;
        check(sd_bus_emit_signal(bus, MODEM, MANAGER, "CallRemoved", "o", CALL), what);
    } else if (!strcmp(what, "assert") || !strcmp(what, "deassert")) {
        set_signal(bus, name, *what == 'a');
    } else if (!strcmp(what, "wait")) {
        usleep((useconds_t)atoi(name) * 1000);
    } else {
        fprintf(stderr, "phone: %s is unknown\n", what);
    }
    check(sd_bus_flush(bus), "bus");
}

/* Answers queries until there is a line to read. */
static void serve(sd_bus *bus, int pipe) {
    for (;;) {
        int code;
        while ((code = sd_bus_process(bus, NULL)) > 0) {}
        check(code, "bus");
        struct pollfd files[] = {{.fd = pipe, .events = POLLIN},
                                 {.fd = sd_bus_get_fd(bus), .events = (short)sd_bus_get_events(bus)}};
        poll(files, 2, -1);
        if (files[0].revents) return;
    }
}

int main(int count, char **words) {
    if (count != 2) return 64;
    sd_bus *bus;
    check(sd_bus_open_system(&bus), "bus");
    check(sd_bus_add_object_vtable(bus, NULL, "/", "org.ofono.Manager", manager, NULL), "object");
    check(sd_bus_add_object_vtable(bus, NULL, MODEM, MANAGER, voice, NULL), "object");
    check(sd_bus_request_name(bus, "org.ofono", 0), "name");
    /* The pipe is opened for reading and writing, so that it does not end with its first writer. */
    int pipe = open(words[1], O_RDWR | O_CLOEXEC);
    FILE *file = pipe < 0 ? NULL : fdopen(pipe, "r");
    if (!file) check(-1, words[1]);
    /* With a buffer, lines that have already been read would not be handled until the next ones arrive. */
    setvbuf(file, NULL, _IONBF, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    char line[80];
    for (;;) {
        serve(bus, pipe);
        if (!fgets(line, sizeof line, file)) return 0;
        char what[16] = "", name[60] = "";
        sscanf(line, "%15s %59s", what, name);
        if (!strcmp(what, "end")) return 0;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%lld %s", now.tv_sec * 1000000000LL + now.tv_nsec, line);
        act(bus, what, name);
    }
}
