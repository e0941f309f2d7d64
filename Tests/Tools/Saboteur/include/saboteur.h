// Stands between the tests' program and libasound, and between it and malloc: makes calls fail that cannot be made to
// fail otherwise, and counts. Its functions have the names of the real ones, which they call in the end; the linker
// finds these first.
#pragma once

enum saboteur_call {
    SABOTEUR_OPEN,
    SABOTEUR_HW_PARAMS,
    SABOTEUR_SW_PARAMS,
    SABOTEUR_PREPARE,
    SABOTEUR_AVAIL,
    SABOTEUR_DELAY,
    SABOTEUR_WRITE,
    SABOTEUR_RESUME,
    SABOTEUR_CLOSE,
    SABOTEUR_CALLS,
};

// What becomes of a call to the PCM of that name, `times` times: it returns `result`. A positive result of a write is
// that many frames at most; of a delay, it is that delay, negated. Each call has a plan of its own.
void saboteur_plan(const char *name, enum saboteur_call call, int result, int times);
// How often it has happened since it was planned.
int saboteur_hits(enum saboteur_call call);

// From now on such a call to the PCM of that name does not return; NULL lets all continue.
void saboteur_hold(const char *name, enum saboteur_call call);
// How many threads are held.
int saboteur_held(void);

// A PCM of that name has only this rate and these channels from now on; 0 for any.
void saboteur_plan_format(const char *name, int rate, int channels);

// Lets files below a folder not be opened, with this `errno` code; NULL: any can be.
void saboteur_plan_opens(const char *folder, int error);

// From now on reads of files below a folder fail with `error`, or take `milliseconds` each; NULL for none.
void saboteur_plan_reads(const char *folder, int error, int milliseconds);

// Whether it can count allocations: a sanitizer has put its own `malloc` there.
int saboteur_counts(void);
// Counts allocations and releases of one thread from now on; 0 for none.
void saboteur_watch(int thread);
// The calling thread.
int saboteur_thread(void);
// So many since then: outside of libasound, and in all.
long saboteur_own_allocations(void);
long saboteur_allocations(void);
