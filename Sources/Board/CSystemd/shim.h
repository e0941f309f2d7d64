#pragma once
// libsystemd's macros would add this header's file and line to journal entries instead of the caller's.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-device.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
// Swift's Glibc module lacks this header.
#include <sys/timex.h>
