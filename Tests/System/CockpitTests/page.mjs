// Tests the parts of the page that need no document in a plain JavaScript engine, with `node --test page.mjs`. PAGE= is
// the page to test. A folder other than deploy/cockpit can be used to show that a test can fail.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

// Node recognises modules only by their file names, so the text of the page is imported, with the text of its own
// imports.
const page = process.env.PAGE ?? new URL("../../../deploy/cockpit", import.meta.url).pathname;
const address = name => {
    const text = readFileSync(`${page}/${name}`, "utf8")
        .replace(/from "\.\/([a-z]+\.js)"/g, (_, imported) => `from "${address(imported)}"`);
    return `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
};
const load = name => import(address(name));
const { headline } = await load("elements.js");
const { playing, split, summary } = await load("library.js");
const { drawn, isHistory } = await load("history.js");
const { midnight, words, zoomed } = await load("timeline.js");

const SECOND = 1e6;
const HOUR = 3600 * SECOND;
/// A midnight in UTC.
const DAY = 20_000 * 24 * HOUR;
const UTC = [{ from_usec: 0, ahead_sec: 0 }];

/// A span that began at ten, as `tacet timeline --json` prints it.
const printed = {
    kind: "interruption", what: "interrupted", began_usec: DAY + 10 * HOUR, lasted_usec: 90 * SECOND, at_least_usec: 90 * SECOND,
    is_over: true, is_cut_short: false, details: ["then: plays"],
};
const span = (change = {}) => drawn({ ...printed, ...change }, DAY + 11 * HOUR);

test("only an answer of this version and shape is understood", () => {
    const lane = { id: "interruption", title: "Interruptions", spans: [printed] };
    const answer = { version: 1, now_usec: DAY, offsets: UTC, lanes: [lane] };
    assert.ok(isHistory(answer));
    assert.ok(isHistory({ ...answer, moon: "full", lanes: [{ ...lane, spans: [{ ...printed, kind: "odd", glow: 3 }] }] }));
    for (const other of [
        5, null, [], {}, { ...answer, version: 2 }, { ...answer, version: undefined }, { ...answer, now_usec: "5" },
        { ...answer, offsets: [] }, { ...answer, offsets: [{}] }, { ...answer, lanes: null }, { ...answer, lanes: [{ ...lane, id: 5 }] },
    ])
        assert.ok(!isHistory(other), JSON.stringify(other));
    for (const change of [
        { what: null }, { details: [5] }, { details: "x" }, { began_usec: "5" }, { began_usec: 1e300 }, { lasted_usec: undefined },
        { is_over: null },
    ])
        assert.ok(!isHistory({ ...answer, lanes: [{ ...lane, spans: [{ ...printed, ...change }] }] }), JSON.stringify(change));
});

test("a span says when it began and ended, and how long it lasted", () => {
    for (const [change, expected] of [
        [{}, "10:00:00 – 10:01:30 (1min 30s)"],
        [{ at_least_usec: 20 * SECOND }, "10:00:00 – 10:01:30 (20s to 1min 30s)"],
        [{ at_least_usec: 0 }, "10:00:00 – 10:01:30 (at most 1min 30s)"],
        [{ is_cut_short: true }, "10:00:00 – 10:01:30 (1min 30s or longer)"],
        [{ is_over: false, lasted_usec: null, at_least_usec: null }, "10:00:00 – now (1h so far)"],
        [{ lasted_usec: null, at_least_usec: null }, "10:00:00"],
    ])
        assert.deepEqual(words(UTC, span(change)), ["interrupted", expected, "then: plays"]);
});

test("times are those of the board, also before and after its clock changes for summer", () => {
    const zone = [{ from_usec: 0, ahead_sec: 3600 }, { from_usec: DAY + 1 * HOUR, ahead_sec: 7200 }];
    assert.equal(words(zone, span({ lasted_usec: null }))[1], "12:00:00");
    assert.equal(words(zone, span({ lasted_usec: null, began_usec: DAY }))[1], "01:00:00");
    assert.equal(midnight(zone, DAY + 10 * HOUR), DAY - HOUR);
    assert.equal(midnight(zone, DAY + 23 * HOUR), DAY + 22 * HOUR);
    assert.equal(midnight(UTC, DAY + 23 * HOUR), DAY);
});

test("a view stays within the range, and is never shorter than ten minutes", () => {
    const whole = { since: 0, until: 8 * HOUR };
    assert.deepEqual(zoomed(whole, whole, 0.5, 0), { since: 0, until: 4 * HOUR });
    assert.deepEqual(zoomed(whole, whole, 0.5, 8 * HOUR), { since: 4 * HOUR, until: 8 * HOUR });
    assert.deepEqual(zoomed(whole, { since: 0, until: HOUR / 6 }, 0.5, 0), { since: 0, until: HOUR / 6 });
    assert.equal(zoomed(whole, { since: 0, until: 4 * HOUR }, 2, 0), undefined);
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

test("a track is named by its file and the folders before it", () => {
    assert.deepEqual(split("a/b/c.flac"), { title: "c.flac", folder: "a/b" });
    assert.deepEqual(split("c.flac"), { title: "c.flac", folder: "" });
    assert.deepEqual(split("/c.flac"), { title: "c.flac", folder: "" });
});

test("a track is played by its whole name", () => {
    assert.equal(playing("a/b c.flac"), "play ./a/b c.flac");
    assert.equal(playing("--then song.flac"), "play ./--then song.flac");
    assert.equal(playing("/srv/c.flac"), "play /srv/c.flac");
});

test("the sentence about a search says how many tracks there are", () => {
    for (const [values, expected] of [
        [["", 0, 0], "The library has no tracks."],
        [["x", 0, 0], "No track has a name that contains this."],
        [["", 3, 3], "3 tracks."],
        [["x", 1, 1], "1 track found."],
        [["", 12, 250_000], "The first 12 of 250000 tracks."],
        [["x", 1000, 250_000], "The first 1000 of 250000 tracks. Search to find the others."],
    ])
        assert.equal(summary(...values), expected);
});
