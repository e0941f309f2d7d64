#pragma once
// Without this definition, libsystemd's macros would add the file and line of this header to journal entries.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-device.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
// Swift's Glibc module lacks this header.
#include <sys/timex.h>
