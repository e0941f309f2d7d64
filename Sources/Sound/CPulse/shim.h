// A playback stream of libpulse, with its main loop, for one thread.
//
// libpulse is loaded only when a sound server is used, because it and its dependencies take more memory than a board
// that plays on its own card can spare. Swift can call functions that are found at run time only through pointers, so
// this file calls them. The functions marked REALTIME allocate and lock inside libpulse, as the plug-ins of libasound
// do. None of them waits for the server.
#pragma once

#include <dlfcn.h>
#include <limits.h>
#include <pulse/pulseaudio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

#define CPULSE_FUNCTIONS(F)                                                                                          \
    F(channel_map_init_extend) F(context_connect) F(context_disconnect) F(context_errno)                             \
    F(context_get_sink_info_by_index) F(context_get_sink_input_info) F(context_get_state)                            \
    F(context_new_with_proplist) F(context_set_sink_input_mute) F(context_set_sink_input_volume)                     \
    F(context_set_state_callback) F(context_set_subscribe_callback) F(context_subscribe) F(context_unref)            \
    F(cvolume_max) F(cvolume_set) F(mainloop_dispatch) F(mainloop_free) F(mainloop_get_api) F(mainloop_iterate)      \
    F(mainloop_new) F(mainloop_poll) F(mainloop_prepare) F(operation_unref) F(proplist_free) F(proplist_new)         \
    F(proplist_sets) F(stream_connect_playback) F(stream_cork) F(stream_disconnect) F(stream_flush)                  \
    F(stream_get_device_index) F(stream_get_index) F(stream_get_sample_spec) F(stream_get_state)                     \
    F(stream_get_timing_info) F(stream_get_underflow_index) F(stream_is_suspended) F(stream_new_with_proplist)       \
    F(stream_proplist_update) F(stream_set_event_callback) F(stream_set_moved_callback) F(stream_set_state_callback) \
    F(stream_set_suspended_callback) F(stream_set_underflow_callback) F(stream_unref) F(stream_update_timing_info)   \
    F(stream_write) F(strerror) F(sw_volume_to_dB)

// The functions of libpulse.
struct cpulse_library {
#define CPULSE_MEMBER(name) __typeof__(pa_##name) *name;
    CPULSE_FUNCTIONS(CPULSE_MEMBER)
#undef CPULSE_MEMBER
};

// The mute and the volume of a stream or a sink.
struct cpulse_level {
    int is_muted;
    // The volume of the loudest channel, in dB.
    double volume;
};

// The reports of the server that have not been processed yet, and the connection that they came from.
struct cpulse_stream {
    const struct cpulse_library *library;
    pa_mainloop *loop;
    pa_context *context;
    pa_stream *stream;
    pa_io_event *bell_event;
    // 1 if the bell has rung since the last wait.
    int rang;
    // 1 if the stream has run dry since this was last set to 0.
    int underran;
    // 1 if something has happened that ends a wait.
    int changed;
    // 1 while a policy of the server wants the stream to be silent.
    int is_corked;
    struct cpulse_level stream_level;
    struct cpulse_level sink_level;
    // 1 if the volume of the stream contains that of the sink.
    int is_flat;
    // 1 if the server has answered about its timing since this was last set to 0, and the time of CLOCK_MONOTONIC, in
    // nanoseconds, to which the answer refers.
    int answered;
    int64_t answered_at;
};

// Returns the functions of libpulse, or 0 if the library or one of them is missing. They are looked up once, and several
// threads may do so at the same time. The result is valid until the process ends.
static inline const struct cpulse_library *cpulse_load(void) {
    static struct cpulse_library *loaded;
    struct cpulse_library *library = __atomic_load_n(&loaded, __ATOMIC_ACQUIRE);
    if (library) return library;
    void *handle = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
    library = calloc(1, sizeof *library);
    if (!library) return 0;
    int missing = 0;
#define CPULSE_FIND(name) \
    library->name = (__typeof__(library->name))dlsym(handle, "pa_" #name); \
    missing |= !library->name;
    CPULSE_FUNCTIONS(CPULSE_FIND)
#undef CPULSE_FIND
    struct cpulse_library *other = 0;
    if (!missing && __atomic_compare_exchange_n(&loaded, &other, library, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return library;
    free(library);
    return other;
}

REALTIME static inline int64_t cpulse_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static inline void cpulse_rang(pa_mainloop_api *api, pa_io_event *event, int fd, pa_io_event_flags_t flags, void *user) {
    (void)api, (void)event, (void)flags;
    uint64_t count;
    if (read(fd, &count, sizeof count) == (ssize_t)sizeof count) ((struct cpulse_stream *)user)->rang = 1;
}

static inline void cpulse_underran(pa_stream *stream, void *user) {
    (void)stream;
    struct cpulse_stream *self = (struct cpulse_stream *)user;
    self->underran = self->changed = 1;
}

static inline void cpulse_changed(pa_stream *stream, void *user) {
    (void)stream;
    ((struct cpulse_stream *)user)->changed = 1;
}

static inline void cpulse_context_changed(pa_context *context, void *user) {
    (void)context;
    ((struct cpulse_stream *)user)->changed = 1;
}

// Releases an operation that nobody waits for, which continues.
static inline void cpulse_discard(const struct cpulse_stream *self, pa_operation *operation) {
    if (operation) self->library->operation_unref(operation);
}

static inline struct cpulse_level cpulse_level(
    const struct cpulse_stream *self, int is_muted, const pa_cvolume *volume) {
    return (struct cpulse_level){is_muted, self->library->sw_volume_to_dB(self->library->cvolume_max(volume))};
}

static inline void cpulse_stream_described(pa_context *context, const pa_sink_input_info *info, int end, void *user) {
    (void)context;
    struct cpulse_stream *self = (struct cpulse_stream *)user;
    if (end) return;
    self->stream_level = cpulse_level(self, info->mute, &info->volume);
    if (!info->mute) self->is_corked = 0;
    self->changed = 1;
}

static inline void cpulse_sink_described(pa_context *context, const pa_sink_info *info, int end, void *user) {
    (void)context;
    struct cpulse_stream *self = (struct cpulse_stream *)user;
    if (end) return;
    self->sink_level = cpulse_level(self, info->mute, &info->volume);
    self->is_flat = (info->flags & PA_SINK_FLAT_VOLUME) != 0;
    self->changed = 1;
}

// Asks for the mute and the volume of the stream and of its sink.
static inline void cpulse_ask_for_levels(struct cpulse_stream *self) {
    const struct cpulse_library *library = self->library;
    const uint32_t stream = library->stream_get_index(self->stream);
    const uint32_t sink = library->stream_get_device_index(self->stream);
    cpulse_discard(self, library->context_get_sink_input_info(self->context, stream, cpulse_stream_described, self));
    cpulse_discard(self, library->context_get_sink_info_by_index(self->context, sink, cpulse_sink_described, self));
}

static inline void cpulse_noticed(pa_context *context, pa_subscription_event_type_t event, uint32_t index, void *user) {
    (void)context;
    struct cpulse_stream *self = (struct cpulse_stream *)user;
    if ((event & PA_SUBSCRIPTION_EVENT_TYPE_MASK) != PA_SUBSCRIPTION_EVENT_CHANGE) return;
    const int is_sink = (event & PA_SUBSCRIPTION_EVENT_FACILITY_MASK) == PA_SUBSCRIPTION_EVENT_SINK;
    const uint32_t own = is_sink ? self->library->stream_get_device_index(self->stream)
                                 : self->library->stream_get_index(self->stream);
    if (index == own) cpulse_ask_for_levels(self);
}

static inline void cpulse_moved(pa_stream *stream, void *user) {
    cpulse_changed(stream, user);
    cpulse_ask_for_levels((struct cpulse_stream *)user);
}

// A policy of the server, such as module-role-cork, has muted the stream. The server announces the end of this only to
// a stream that has corked itself, so it has ended when the stream is no longer muted.
static inline void cpulse_event(pa_stream *stream, const char *name, pa_proplist *properties, void *user) {
    (void)stream, (void)properties;
    struct cpulse_stream *self = (struct cpulse_stream *)user;
    if (strcmp(name, PA_STREAM_EVENT_REQUEST_CORK)) return;
    self->is_corked = self->changed = 1;
    cpulse_ask_for_levels(self);
}

// Unmutes the stream and sets its volume to 100 %.
REALTIME static inline void cpulse_restore(struct cpulse_stream *self) {
    const struct cpulse_library *library = self->library;
    const uint32_t stream = library->stream_get_index(self->stream);
    pa_cvolume volume;
    library->cvolume_set(&volume, library->stream_get_sample_spec(self->stream)->channels, PA_VOLUME_NORM);
    cpulse_discard(self, library->context_set_sink_input_mute(self->context, stream, 0, 0, 0));
    cpulse_discard(self, library->context_set_sink_input_volume(self->context, stream, &volume, 0, 0));
}

// Returns the obstacle that makes the stream inaudible, as the code of Swift's `DeviceAudibility`, or 0.
REALTIME static inline int cpulse_audibility(const struct cpulse_stream *self) {
    enum { AUDIBLE, POLICY, STREAM, SINK, SUSPENSION, QUIET = 16 };
    if (self->library->stream_is_suspended(self->stream) > 0) return SUSPENSION;
    if (self->stream_level.is_muted) return self->is_corked ? POLICY : STREAM;
    if (self->sink_level.is_muted) return SINK;
    const double stream = self->stream_level.volume, sink = self->is_flat ? 0 : self->sink_level.volume;
    if (stream + sink >= -40) return AUDIBLE;
    // Nobody hears 100 dB less.
    return (stream + sink < -100 ? AUDIBLE : QUIET) + (stream <= sink ? STREAM : SINK);
}

// Returns 1 if the stream's own mute or volume attenuates it.
REALTIME static inline int cpulse_is_attenuated(const struct cpulse_stream *self) {
    return self->stream_level.is_muted || self->stream_level.volume < -0.1;
}

// Sets the role by which policies of the server select streams. They silence music during a call, but not events.
REALTIME static inline void cpulse_set_role(struct cpulse_stream *self, int is_event) {
    pa_proplist *properties = self->library->proplist_new();
    if (!properties) return;
    self->library->proplist_sets(properties, PA_PROP_MEDIA_ROLE, is_event ? "event" : "music");
    cpulse_discard(
        self, self->library->stream_proplist_update(self->stream, PA_UPDATE_REPLACE, properties, 0, 0));
    self->library->proplist_free(properties);
}

static inline void cpulse_answered(pa_stream *stream, int success, void *user) {
    struct cpulse_stream *self = (struct cpulse_stream *)user;
    const pa_timing_info *info = self->library->stream_get_timing_info(stream);
    if (!success || !info) return;
    // The answer contains the time of day at which the server wrote it. Do not believe a difference that is negative
    // or long, because the time of day can be set.
    struct timeval now;
    gettimeofday(&now, 0);
    int64_t age = (now.tv_sec - info->timestamp.tv_sec) * INT64_C(1000000) + now.tv_usec - info->timestamp.tv_usec;
    if (age < 0 || age > 50000) age = 0;
    self->answered_at = cpulse_now() - age * 1000;
    self->answered = 1;
}

// Processes what has arrived and sends what has been written, without waiting.
REALTIME static inline void cpulse_flush(struct cpulse_stream *self) {
    while (self->library->mainloop_iterate(self->loop, 0, 0) > 0) {}
}

// Processes messages for at most `nanoseconds`, until the bell has rung or something has happened that ends a wait.
REALTIME static inline void cpulse_wait(struct cpulse_stream *self, int64_t nanoseconds) {
    int64_t end = cpulse_now() + nanoseconds;
    cpulse_flush(self);
    while (!self->rang && !self->changed) {
        int64_t left = (end - cpulse_now()) / 1000;
        if (left <= 0) break;
        if (self->library->mainloop_prepare(self->loop, left > INT_MAX ? INT_MAX : (int)left) < 0) break;
        if (self->library->mainloop_poll(self->loop) < 0) break;
        if (self->library->mainloop_dispatch(self->loop) < 0) break;
    }
    self->rang = self->changed = 0;
}

// Asks the server for its timing.
REALTIME static inline void cpulse_ask(struct cpulse_stream *self) {
    cpulse_discard(self, self->library->stream_update_timing_info(self->stream, cpulse_answered, self));
}

// Writes at an offset in bytes, which is zero or negative, from the end of what has been written.
// Returns 0, or libpulse's negated error.
REALTIME static inline int cpulse_write(struct cpulse_stream *self, const void *data, size_t bytes, int64_t offset) {
    return self->library->stream_write(self->stream, data, bytes, 0, offset, PA_SEEK_RELATIVE);
}

REALTIME static inline int cpulse_is_alive(const struct cpulse_stream *self) {
    return self->library->context_get_state(self->context) == PA_CONTEXT_READY
        && self->library->stream_get_state(self->stream) == PA_STREAM_READY;
}

REALTIME static inline int cpulse_is_suspended(const struct cpulse_stream *self) {
    return self->library->stream_is_suspended(self->stream) > 0;
}

// The position in bytes at which the stream has run dry.
REALTIME static inline int64_t cpulse_underrun(const struct cpulse_stream *self) {
    return self->library->stream_get_underflow_index(self->stream);
}

REALTIME static inline const pa_timing_info *cpulse_timing(const struct cpulse_stream *self) {
    return self->library->stream_get_timing_info(self->stream);
}

// Closes the connection and frees everything. Every member but the library may be 0.
static inline void cpulse_close(struct cpulse_stream *self) {
    const struct cpulse_library *library = self->library;
    if (self->stream) {
        library->stream_disconnect(self->stream);
        library->stream_unref(self->stream);
    }
    if (self->context) {
        library->context_disconnect(self->context);
        library->context_unref(self->context);
    }
    if (self->bell_event) library->mainloop_get_api(self->loop)->io_free(self->bell_event);
    if (self->loop) library->mainloop_free(self->loop);
    free(self);
}

// Waits for a state to end. Returns 0 at the deadline.
static inline int cpulse_step(struct cpulse_stream *self, int64_t deadline) {
    int64_t left = (deadline - cpulse_now()) / 1000;
    if (left <= 0) return 0;
    return self->library->mainloop_prepare(self->loop, left > INT_MAX ? INT_MAX : (int)left) >= 0
        && self->library->mainloop_poll(self->loop) >= 0 && self->library->mainloop_dispatch(self->loop) >= 0;
}

// Connects to a server, or to the user's or system's if `server` is 0. The server shows the client by its name.
// Returns a connection, or 0 and an error of libpulse.
static inline struct cpulse_stream *cpulse_connect(
    const struct cpulse_library *library, const char *server, const char *name, int64_t deadline, int *error) {
    struct cpulse_stream *self = calloc(1, sizeof *self);
    *error = PA_ERR_INTERNAL;
    if (!self) return 0;
    self->library = library;
    pa_proplist *properties = library->proplist_new();
    self->loop = library->mainloop_new();
    if (self->loop && properties) {
        library->proplist_sets(properties, PA_PROP_APPLICATION_NAME, name);
        self->context =
            library->context_new_with_proplist(library->mainloop_get_api(self->loop), name, properties);
    }
    if (properties) library->proplist_free(properties);
    if (self->context && library->context_connect(self->context, server, PA_CONTEXT_NOAUTOSPAWN, 0) >= 0) {
        *error = PA_ERR_TIMEOUT;
        do {
            pa_context_state_t state = library->context_get_state(self->context);
            if (state == PA_CONTEXT_READY) {
                *error = 0;
                return self;
            }
            if (!PA_CONTEXT_IS_GOOD(state)) {
                *error = library->context_errno(self->context);
                break;
            }
        } while (cpulse_step(self, deadline));
    } else if (self->context) {
        *error = library->context_errno(self->context);
    }
    cpulse_close(self);
    return 0;
}

// Creates a stream on a sink, or on the default sink if `sink` is 0, and waits until the server has accepted it. The
// stream does not play before `cpulse_start`. The server must not move it from a sink that was named.
//
// The stream has its own entry in module-stream-restore, because that of its role contains the mute and the volume of
// any other program. It begins unmuted and at 100 % whatever the entry contains.
// Returns 0, or an error of libpulse.
static inline int cpulse_play(
    struct cpulse_stream *self, const char *sink, const char *name, pa_sample_spec spec, const pa_buffer_attr *buffer,
    int64_t deadline) {
    const struct cpulse_library *library = self->library;
    pa_channel_map map;
    library->channel_map_init_extend(&map, spec.channels, PA_CHANNEL_MAP_ALSA);
    pa_proplist *properties = library->proplist_new();
    if (!properties) return PA_ERR_INTERNAL;
    library->proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music");
    library->proplist_sets(properties, "module-stream-restore.id", name);
    self->stream = library->stream_new_with_proplist(self->context, name, &spec, &map, properties);
    library->proplist_free(properties);
    if (!self->stream) return library->context_errno(self->context);
    library->context_set_state_callback(self->context, cpulse_context_changed, self);
    library->stream_set_state_callback(self->stream, cpulse_changed, self);
    library->stream_set_underflow_callback(self->stream, cpulse_underran, self);
    library->stream_set_suspended_callback(self->stream, cpulse_changed, self);
    library->stream_set_moved_callback(self->stream, cpulse_moved, self);
    library->stream_set_event_callback(self->stream, cpulse_event, self);
    const pa_stream_flags_t flags = PA_STREAM_FIX_RATE | PA_STREAM_START_CORKED | PA_STREAM_START_UNMUTED
        | PA_STREAM_RELATIVE_VOLUME | (sink ? PA_STREAM_DONT_MOVE : 0);
    pa_cvolume volume;
    library->cvolume_set(&volume, spec.channels, PA_VOLUME_NORM);
    if (library->stream_connect_playback(self->stream, sink, buffer, flags, &volume, 0) < 0)
        return library->context_errno(self->context);
    do {
        pa_stream_state_t state = library->stream_get_state(self->stream);
        if (state == PA_STREAM_READY) return 0;
        if (!PA_STREAM_IS_GOOD(state) || library->context_get_state(self->context) != PA_CONTEXT_READY) {
            int error = library->context_errno(self->context);
            return error ? error : PA_ERR_CONNECTIONTERMINATED;
        }
    } while (cpulse_step(self, deadline));
    return PA_ERR_TIMEOUT;
}

// Replaces the second half of some silence in the queue of a stream that does not play yet, and asks the server for the
// length of its queue. `bytes` is the length of each half. Returns 1 if the server has replaced that half, or 0 if it
// has appended the silence, or has not answered before the deadline.
static inline int cpulse_can_rewrite(struct cpulse_stream *self, size_t bytes, int64_t deadline) {
    void *silence = calloc(2, bytes);
    if (!silence) return 0;
    int can = 0;
    if (cpulse_write(self, silence, 2 * bytes, 0) >= 0 && cpulse_write(self, silence, bytes, -(int64_t)bytes) >= 0) {
        cpulse_ask(self);
        while (!self->answered && cpulse_is_alive(self) && cpulse_step(self, deadline)) {}
        can = self->answered && cpulse_timing(self)->write_index == (int64_t)(2 * bytes);
    }
    free(silence);
    return can;
}

// Discards what has been written, and plays what is written from now on.
static inline void cpulse_start(struct cpulse_stream *self) {
    cpulse_discard(self, self->library->stream_flush(self->stream, 0, 0));
    cpulse_discard(self, self->library->stream_cork(self->stream, 0, 0, 0));
    self->library->context_set_subscribe_callback(self->context, cpulse_noticed, self);
    const pa_subscription_mask_t mask = PA_SUBSCRIPTION_MASK_SINK | PA_SUBSCRIPTION_MASK_SINK_INPUT;
    cpulse_discard(self, self->library->context_subscribe(self->context, mask, 0, 0));
    cpulse_ask_for_levels(self);
    self->answered = self->underran = 0;
}

// Adds the eventfd that ends a wait. Returns 0 if there is not enough memory.
static inline int cpulse_listen(struct cpulse_stream *self, int bell) {
    pa_mainloop_api *api = self->library->mainloop_get_api(self->loop);
    self->bell_event = api->io_new(api, bell, PA_IO_EVENT_INPUT, cpulse_rang, self);
    return self->bell_event != 0;
}

static inline pa_sample_spec cpulse_spec(const struct cpulse_stream *self) {
    return *self->library->stream_get_sample_spec(self->stream);
}
