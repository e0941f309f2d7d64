// Fault injection. It intercepts the test program's calls to libasound, the C library's file functions and malloc,
// makes them fail or block, and counts them. Its functions have the names of the real ones, which they call. The linker
// finds these first.
#pragma once

#include "card.h"

enum saboteur_call {
    SABOTEUR_OPEN,
    SABOTEUR_HW_PARAMS,
    SABOTEUR_SW_PARAMS,
    SABOTEUR_PREPARE,
    SABOTEUR_AVAIL,
    SABOTEUR_DELAY,
    SABOTEUR_WRITE,
    SABOTEUR_READ,
    SABOTEUR_RESUME,
    SABOTEUR_CLOSE,
    SABOTEUR_CALLS,
};

// Makes the next `times` calls to the PCM of that name return `result`. A positive result is the maximum number of
// frames that a write accepts or a read delivers. For a delay, a positive result is the negated delay. Each kind of
// call has its own plan.
void saboteur_plan(const char *name, enum saboteur_call call, int result, int times);
// Returns the number of calls that have been affected since the plan was made.
int saboteur_hits(enum saboteur_call call);

// Opens the PCM `null` instead of a card of that name, which the machine does not have, or fails with a negative result.
// NULL removes the card.
void saboteur_plan_card(const char *name, int result);

// Blocks these calls to the PCM of that name. NULL lets all of them continue.
void saboteur_hold(const char *name, enum saboteur_call call);
// Returns the number of blocked threads.
int saboteur_held(void);

// Makes the PCM of that name support only this rate and number of channels. 0 stands for any.
void saboteur_plan_format(const char *name, int rate, int channels);

// Makes opening files below a folder fail with this `errno` code. NULL removes the plan.
void saboteur_plan_opens(const char *folder, int error);

// Makes reads of files below a folder fail with this `errno` code or take `milliseconds` each. NULL removes the plan.
void saboteur_plan_reads(const char *folder, int error, int milliseconds);

// Returns true if allocations can be counted. This is not the case under a sanitizer, which replaces `malloc` itself.
int saboteur_counts(void);
// Starts counting the allocations and deallocations of one thread. 0 stops counting.
void saboteur_watch(int thread);
// Returns the calling thread.
int saboteur_thread(void);
// Return the numbers of allocations and deallocations since counting started, outside of libasound and in total.
long saboteur_own_allocations(void);
long saboteur_allocations(void);
