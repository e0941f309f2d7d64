#pragma once
#include <jansson.h>

// Inline functions and macros of jansson that Swift does not import.
static inline json_type cjansson_type(const json_t *value) { return json_typeof(value); }
static inline void cjansson_release(json_t *value) { json_decref(value); }
