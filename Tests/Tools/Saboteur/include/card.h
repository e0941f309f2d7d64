// A simulated sound card that can rewind. It plays in real time and records what it plays. The tests use it because the
// machine on which they run may not have a sound card. The virtual board has a real driver.
//
// A PCM of type `null` with this name becomes the card. libasound still negotiates its configuration (S32, two
// channels), but the card implements the position, writing and rewinding. There is one card at a time.
#pragma once

#include <stdint.h>

struct card_behaviour {
    // The number of frames by which the reported position moves at once.
    int step;
    // The number of frames that the hardware has fetched before it plays them. Later changes to these frames are
    // inaudible.
    int prefetch;
    // The percentage of the frames reported as rewound that the card keeps.
    int kept_percent;
    // The number of frames by which the reported position lags behind the true one until a rewind, which reveals it.
    int lag;
};

// Makes the PCM of that name a card with nothing recorded. NULL removes the card.
void card_plan(const char *name, struct card_behaviour behaviour);
// Unplugs the card.
void card_unplug(void);
// Returns the left samples played so far. The memory stays valid until the next plan. Silence between an underrun and
// the next start is not recorded.
const int32_t *card_recording(long *frames);
// Returns the numbers of underruns, rewinds, and calls of all kinds since the plan.
long card_underruns(void);
long card_rewinds(void);
long card_calls(void);
// Returns the number of frames in its buffer.
long card_queued(void);
// Returns the number of audible frames in its memory that are not queued. It would play them if its position were
// queried too late to notice an underrun.
long card_stale(void);
