#pragma once
#include <sndfile.h>
#include <stdio.h>
#include <sys/types.h>

// glibc's `fopencookie`, which its headers keep from those who do not ask for GNU's extensions: a stream that writes by
// a function.
struct csndfile_stream_functions {
    ssize_t (*read)(void *cookie, char *bytes, size_t count);
    ssize_t (*write)(void *cookie, const char *bytes, size_t count);
    int (*seek)(void *cookie, void *position, int whence);
    int (*close)(void *cookie);
};
FILE *csndfile_open_stream(void *cookie, const char *mode, struct csndfile_stream_functions functions)
    __asm__("fopencookie");

// C code may set `stderr`; Swift may not even read it.
static inline void csndfile_set_standard_error(FILE *stream) { stderr = stream; }
