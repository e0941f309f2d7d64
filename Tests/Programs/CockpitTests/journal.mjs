// Tests what the page concludes, as far as it needs no document, in a plain JavaScript engine: `node --test journal.mjs`.
// PAGE= is the page to test; another folder than deploy/cockpit shows that a test can fail.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

// Node takes a file for a module only by its name, so its text is imported, with the text of what it imports.
const page = process.env.PAGE ?? new URL("../../../deploy/cockpit", import.meta.url).pathname;
const address = name => {
    const text = readFileSync(`${page}/${name}`, "utf8")
        .replace(/from "\.\/([a-z]+\.js)"/g, (_, imported) => `from "${address(imported)}"`);
    return `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
};
const load = name => import(address(name));
const { parse, chronicle, lanes } = await load("journal.js");
const { headline } = await load("elements.js");

const SECOND = 1e6;

/// Each boot begins at its own time of the wall clock, in µs.
const STARTS = { a: 1_790_000_000 * SECOND, b: 1_790_001_000 * SECOND };

/// An entry as journalctl prints it.
function entry(event, seconds, fields = {}, { boot = "a", process = 1 } = {}) {
    return JSON.stringify({
        TACET_EVENT: event, _BOOT_ID: boot, _PID: String(process), __CURSOR: `${boot}-${process}-${seconds}-${event}`,
        __MONOTONIC_TIMESTAMP: String(seconds * SECOND), __REALTIME_TIMESTAMP: String(STARTS[boot] + seconds * SECOND),
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`TACET_${name}`, value])),
    });
}

const time = (seconds, boot = "a") => STARTS[boot] + seconds * SECOND;

function history(...entries) {
    const { records, remarks } = parse(entries.join("\n"));
    assert.deepEqual(remarks, []);
    return chronicle(records, {});
}

test("an entry that waited for the journal has the time at which it was written", () => {
    const delays = [undefined, "20000000", "-5", "soon", "1e999", "99999999999999999999"];
    const { records } = parse(delays.map(delay => entry("command", 50, delay ? { DELAY_USEC: delay } : {})).join("\n"));
    assert.deepEqual(records.map(one => one.monotonic / SECOND), [50, 30, 50, 50, 50, 0]);
    assert.deepEqual(records.slice(0, 2).map(one => one.realtime), [time(50), time(30)]);
});

/// The spans of one lane until a second of boot a.
function spans(id, until, ...entries) {
    const lane = lanes(history(...entries), time(until)).lanes.find(one => one.id === id);
    return (lane?.spans ?? []).map(({ what, from, to, details, isOpen }) =>
        ({ what, from: (from - STARTS.a) / SECOND, to: (to - STARTS.a) / SECOND, details: details.filter(one => one), isOpen }));
}

test("an outage after a power cut begins with the saved state, which is newer than the last entry", () => {
    const { outages } = history(
        entry("started", 10), entry("command", 20, { COMMAND: "play" }),
        entry("started", 5, {
            LAST_RUN: "power-cut", SAVED_BOOT_ID: "a", SAVED_MONOTONIC_USEC: String(500 * SECOND),
            SAVED_AT_USEC: String(time(500)),
        }, { boot: "b", process: 2 }));
    assert.deepEqual(outages, [{ cause: "no power", from: time(500), certain: time(0, "b"), to: time(5, "b") }]);
});

test("an outage begins with the last entry if the saved state is older, or the daemon has stopped", () => {
    const saved = { SAVED_BOOT_ID: "a", SAVED_MONOTONIC_USEC: String(15 * SECOND), SAVED_AT_USEC: String(time(15)) };
    const started = fields => entry("started", 40, fields, { process: 2 });
    assert.deepEqual(
        history(entry("started", 10), entry("command", 20), started({ LAST_RUN: "killed", ...saved })).outages,
        [{ cause: "killed", from: time(20), certain: time(40), to: time(40) }]);
    saved.SAVED_MONOTONIC_USEC = String(30 * SECOND);
    assert.deepEqual(
        history(entry("started", 10), entry("stopping", 20), started({ LAST_RUN: "stopped", ...saved })).outages,
        [{ cause: "stopped", from: time(20), certain: time(20), to: time(40) }]);
});

test("a start that was refused is not a run", () => {
    const { outages } = history(
        entry("started", 10), entry("stopping", 20),
        entry("start-refused", 30, { REASON: "the configuration has mistakes" }, { process: 2 }),
        entry("started", 40, { LAST_RUN: "stopped" }, { process: 3 }));
    assert.deepEqual(outages, [{ cause: "stopped", from: time(20), certain: time(20), to: time(40) }]);
    assert.deepEqual(
        history(entry("stopping", 20), entry("start-refused", 30, {}, { process: 2 })).outages,
        [{ cause: "stopped", from: time(20), certain: time(20), to: undefined }]);
});

test("a sound that is cut off ends with its outcome, and one that ends was heard to its end", () => {
    const began = seconds => entry("sound-began", seconds, { SOUND: "gong", ANNOUNCEMENT: "1" });
    const gong = { SOUND: "gong", ANNOUNCEMENT: "1" };
    const span = (details, to = 14) => [{ what: "announcement gong", from: 12, to, details: [details], isOpen: undefined }];
    const play = (event, fields) => spans("sound", 60, entry("started", 10), began(12), entry(event, 14, { ...gong, ...fields }));
    assert.deepEqual(play("sound-ended", {}), span("heard to its end"));
    assert.deepEqual(play("sound-cut", { OUTCOME: "heard again later" }), span("heard again later"));
    assert.deepEqual(play("sound-cut", {}), span("cut off"));
    // A hush also cuts announcements that wait.
    const other = spans(
        "sound", 60, entry("started", 10), began(12), entry("sound-cut", 13, { SOUND: "chime", ANNOUNCEMENT: "2" }),
        entry("sound-ended", 14, gong));
    assert.deepEqual(other, span("heard to its end"));
});

test("a fault lasts until it is cleared, and only that one ends", () => {
    const fault = (event, seconds, signal, kind, reason) =>
        entry(event, seconds, { SIGNAL: signal, FAULT: kind, ...reason && { REASON: reason } });
    const entries = [
        entry("started", 10), fault("fault", 20, "alarm", "stuck", "it is asserted for an hour"),
        fault("fault", 25, "door", "stuck"), fault("fault-cleared", 30, "alarm", "stuck"),
    ];
    assert.deepEqual(spans("fault alarm stuck", 60, ...entries), [{
        what: "alarm: stuck", from: 20, to: 30, details: ["it is asserted for an hour"], isOpen: undefined,
    }]);
    assert.deepEqual(spans("fault door stuck", 60, ...entries), [{ what: "door: stuck", from: 25, to: 60, details: [], isOpen: true }]);
});

test("what began and ended has its length", () => {
    const entries = [
        entry("started", 10, { PLAYING: "yes", INTENT: "playing", TRACK: "/srv/music/a.flac" }),
        entry("interruption-began", 20, { SIGNAL: "phone-call", EFFECT: "pause", PLAYING: "no", REASON: "default" }),
        entry("interruption-ended", 30, { SIGNAL: "phone-call", PLAYING: "yes", OUTCOME: "playing" }),
        entry("media-services-lost", 35, { DEVICE: "hw:0", REASON: "unplugged", PLAYING: "no" }),
        entry("media-services-reset", 38, { DEVICE: "hw:0", PLAYING: "yes" }), entry("storage-lost", 40), entry("storage-back", 45),
        entry("recording-began", 50), entry("recording-ended", 55, { REASON: "by command" }),
    ];
    const lengths = id => spans(id, 60, ...entries).map(({ what, from, to }) => `${what} ${from}-${to}`);
    assert.deepEqual(lengths("music"), [
        "playing 10-20", "quiet: interrupted 20-30", "playing 30-35", "quiet 35-38", "playing 38-60",
    ]);
    assert.deepEqual(lengths("interruption"), ["interrupted by phone-call 20-30"]);
    assert.deepEqual(lengths("signal phone-call"), ["phone-call asserted 20-30"]);
    assert.deepEqual(lengths("device"), ["sound device lost 35-38"]);
    assert.deepEqual(lengths("fault storage"), ["storage lost 40-45"]);
    assert.deepEqual(lengths("recording"), ["microphone recorded 50-55"]);
});

test("nothing outlasts the end of the daemon", () => {
    const [open] = spans(
        "signal alarm", 60, entry("started", 10), entry("signal", 20, { SIGNAL: "alarm", ASSERTED: "yes" }),
        entry("started", 40, { LAST_RUN: "killed" }, { process: 2 }));
    assert.deepEqual(open, { what: "alarm asserted", from: 20, to: 20, details: ["not over when Tacet ended"], isOpen: undefined });
});

test("a suspension counts in dates, although the monotonic clock stands still", () => {
    const { moments } = history(
        entry("started", 10), entry("awake", 20, { REASON: "suspended", ASLEEP_USEC: String(3600 * SECOND) }),
        // The wall clock has gone on meanwhile.
        JSON.stringify({
            ...JSON.parse(entry("command", 30)), __REALTIME_TIMESTAMP: String(time(3630)),
        }));
    assert.deepEqual(moments.map(moment => (moment.time - STARTS.a) / SECOND), [10, 3620, 3630]);
});

test("a headline has neither paths nor process ids", () => {
    for (const [sentence, expected] of [
        ["Quiet because it was paused by playerctl (pid 812, uid 1000) at 12:03.", "Quiet because it was paused by playerctl at 12:03."],
        ["Quiet because it was paused by a program on the bus (uid 0).", "Quiet because it was paused by a program on the bus."],
        ["Quiet because phone-call (asserted by baresip, process 812) pauses it.", "Quiet because phone-call (asserted by baresip) pauses it."],
        ["Quiet because phone-call (asserted by process 812) pauses it.", "Quiet because phone-call (asserted by a program) pauses it."],
        ["Playing ‘/srv/music/a/b.flac’ at 0:12.", "Playing ‘b.flac’ at 0:12."],
        ["Quiet: /srv/music/list.m3u cannot be read: No such file", "Quiet: list.m3u cannot be read: No such file"],
        ["Turned down by phone-call and/or door since 14:03 (for 2min 5s).", "Turned down by phone-call and/or door since 14:03 (for 2min 5s)."],
    ])
        assert.equal(headline(sentence), expected);
});
