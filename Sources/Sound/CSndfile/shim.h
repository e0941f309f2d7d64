#pragma once
#include <sndfile.h>
#include <stdio.h>
#include <sys/types.h>

// Declarations for `fopencookie`, which creates a stream that calls custom functions. glibc's headers declare it only
// with _GNU_SOURCE.
struct csndfile_stream_functions {
    ssize_t (*read)(void *cookie, char *bytes, size_t count);
    ssize_t (*write)(void *cookie, const char *bytes, size_t count);
    int (*seek)(void *cookie, void *position, int whence);
    int (*close)(void *cookie);
};
FILE *csndfile_open_stream(void *cookie, const char *mode, struct csndfile_stream_functions functions)
    __asm__("fopencookie");

// Sets the global variable `stderr`, which Swift 6 code cannot access.
static inline void csndfile_set_standard_error(FILE *stream) { stderr = stream; }
