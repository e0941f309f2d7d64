#pragma once
#include <ini.h>

/*
 * Why there is a shim: Debian's libinih has its settings as run-time variables, and Swift 6 refuses to touch a C
 * global. Other distributions leave them compiled in, so the variables are weak here: where they are missing, inih's
 * own settings hold, and the reader in Swift refuses the lines that inih would cut.
 */
extern bool ini_allow_inline_comments __attribute__((weak));
extern bool ini_use_stack __attribute__((weak));
extern int ini_max_line __attribute__((weak));

/* Values may hold ` ;`, and a line may have `max_line` - 1 bytes. For the whole process: call it once. */
static inline void cinih_settle(int max_line) {
    if (&ini_allow_inline_comments) ini_allow_inline_comments = false;
    if (&ini_use_stack) ini_use_stack = true;
    if (&ini_max_line) ini_max_line = max_line;
}
