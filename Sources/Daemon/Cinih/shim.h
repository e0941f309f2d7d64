#pragma once
#include <ini.h>

/*
 * Makes the settings of inih accessible. Debian's libinih has its settings in run-time variables, and Swift 6 does not
 * allow access to C globals. Other distributions compile the settings in, so the variables are weak here. If they are
 * missing, inih's own settings apply, and the parser in Swift rejects lines that inih would truncate.
 */
extern bool ini_allow_inline_comments __attribute__((weak));
extern bool ini_use_stack __attribute__((weak));
extern int ini_max_line __attribute__((weak));

/* Allows ` ;` in values, and lines of up to `max_line` - 1 bytes. Affects the whole process, so call it once. */
static inline void cinih_configure(int max_line) {
    if (&ini_allow_inline_comments) ini_allow_inline_comments = false;
    if (&ini_use_stack) ini_use_stack = true;
    if (&ini_max_line) ini_max_line = max_line;
}
