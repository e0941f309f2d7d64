// A simulated sound card that can rewind: it plays in real time, and records what it plays. The tests use it because the
// machine they run on need not have a sound card; the virtual board has a real driver.
//
// A PCM of type `null` with this name becomes the card: libasound still negotiates its configuration (S32, two channels),
// but position, writing and rewinding are the card's. There is one card at a time.
#pragma once

#include <stdint.h>

struct card_behaviour {
    // Frames by which the reported position moves at once.
    int step;
    // Frames that the hardware has fetched before it plays them: a later change of them is not heard.
    int prefetch;
    // Of a hundred frames that it says it has rewound, the card keeps this many.
    int kept_percent;
    // Frames by which the reported position is behind the truth until a rewind, which reveals it.
    int lag;
};

// Makes the PCM of that name a card with nothing recorded; NULL removes it.
void card_plan(const char *name, struct card_behaviour behaviour);
// The card is unplugged.
void card_unplug(void);
// The left samples played so far; the memory stays valid until the next plan. Silence between an underrun and the next
// start is not recorded.
const int32_t *card_recording(long *frames);
// Since the plan: underruns, rewinds, and calls of all kinds.
long card_underruns(void);
long card_rewinds(void);
long card_calls(void);
// Frames in its buffer.
long card_queued(void);
