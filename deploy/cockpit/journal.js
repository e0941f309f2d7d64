// The daemon's history, from the journal's fields. Messages are for people, so they are never interpreted.
/* global cockpit */
import { Event, Field } from "./vocabulary.js";

/// The fields that are read, besides journald's own.
const FIELDS = [
    Field.event, Field.signal, Field.button, Field.output, Field.device, Field.sound, Field.announcement,
    Field.effect, Field.asserted, Field.fault, Field.reason, Field.shouldResume, Field.outcome, Field.playing,
    Field.recording, Field.intent, Field.track, Field.latency, Field.silent, Field.level, Field.command, Field.answer,
    Field.issuer, Field.issuerName, Field.asleep, Field.lastRun, Field.savedAt, Field.savedMonotonic, Field.savedBoot,
    Field.delay,
].map(name => `TACET_${name}`).concat("_PID", "_SYSTEMD_INVOCATION_ID", "INVOCATION_ID", "MESSAGE_ID");

/// systemd's message about the end of a service's main process: a daemon that is killed logs nothing.
const EXITED = "98e322203f7a4ed290d09fe03c09fe15";
const EXIT = "process-exited";

/// At most so many of the newest entries are read.
const LONGEST = 20000;

// MARK: Reading

/// What journalctl makes of a value that is no plain text: a list of its bytes; null if it was too long.
function text(value) {
    if (typeof value === "string")
        return value;
    if (Array.isArray(value) && value.every(Number.isInteger))
        return new TextDecoder().decode(new Uint8Array(value));
    return undefined;
}

/// A field that occurs several times is a list.
function texts(value) {
    const isList = Array.isArray(value) && !value.every(Number.isInteger);
    return (isList ? value : [value]).map(text).filter(one => one !== undefined);
}

/// One of the daemon's entries, or systemd's about the end of its process; undefined for all others.
function record(entry) {
    const isExit = text(entry.MESSAGE_ID) === EXITED && text(entry._PID) === "1";
    const event = isExit ? EXIT : texts(entry[`TACET_${Field.event}`])[0];
    const [realtime, monotonic] = [Number(entry.__REALTIME_TIMESTAMP), Number(entry.__MONOTONIC_TIMESTAMP)];
    if (event === undefined || !Number.isFinite(realtime) || !Number.isFinite(monotonic))
        return undefined;
    // An entry that waited for the journal is older than the journal says.
    const delay = Number(texts(entry[`TACET_${Field.delay}`])[0] ?? 0);
    const waited = Number.isFinite(delay) ? Math.max(0, Math.min(delay, realtime, monotonic)) : 0;
    return {
        event, realtime: realtime - waited, monotonic: monotonic - waited, boot: text(entry._BOOT_ID) ?? "",
        process: text(entry._PID), cursor: entry.__CURSOR,
        signals: texts(entry[`TACET_${Field.signal}`]),
        invocation: text(isExit ? entry.INVOCATION_ID : entry._SYSTEMD_INVOCATION_ID),
        get: name => texts(entry[`TACET_${name}`])[0],
        number: name => {
            const value = texts(entry[`TACET_${name}`])[0];
            return value !== undefined && Number.isFinite(Number(value)) ? Number(value) : undefined;
        },
    };
}

/// @returns records, in the journal's order, and what journalctl printed besides
export function parse(output) {
    const records = [];
    const remarks = [];
    let cursor;
    for (const line of output.split("\n")) {
        if (line.trim() === "")
            continue;
        let entry;
        try {
            entry = JSON.parse(line);
        } catch (error) {
            remarks.push(line);
            continue;
        }
        if (typeof entry !== "object" || entry === null)
            continue;
        cursor = entry.__CURSOR ?? cursor;
        const one = record(entry);
        if (one)
            records.push(one);
    }
    return { records, remarks, cursor };
}

function journalctl(options) {
    let output = "";
    const process = cockpit.spawn(
        ["journalctl", "-u", "tacet", "-o", "json", "--all", "--no-pager", `--output-fields=${FIELDS.join(",")}`, ...options],
        { superuser: "try", err: "out", environ: ["LC_ALL=C.UTF-8"] });
    process.stream(data => { output += data; });
    return Promise.resolve(process).then(() => parse(output), error => {
        error.output = output.trim();
        throw error;
    });
}

/// The entries of the last days, kept up to date.
export class Journal {
    records = [];
    /// What journalctl says, for example that it may not read everything.
    remarks = [];

    /// @param since in seconds since 1970
    /// @returns whether there are new records
    async read(since) {
        if (this.cursor === undefined || since < this.since) {
            // Before the network has set the clock of a board without a battery, entries have any date, so all of this boot
            // belong to it. Where there is no such boot, that is no failure.
            const [recent, boot] = await Promise.all([
                journalctl([`--since=@${Math.floor(since)}`, "-n", String(LONGEST)]),
                journalctl(["-b", "-n", "5000"]).catch(() => ({ records: [], remarks: [] })),
            ]);
            const known = new Set(recent.records.map(one => one.cursor));
            const earlier = boot.records.filter(one => !known.has(one.cursor));
            const present = boot.records[0]?.boot;
            this.records = [
                ...recent.records.filter(one => one.boot !== present), ...earlier,
                ...recent.records.filter(one => one.boot === present),
            ];
            this.known = new Set(this.records.map(one => one.cursor));
            this.remarks = recent.remarks;
            this.cursor = recent.cursor ?? boot.cursor;
            this.since = since;
            return true;
        }
        let news;
        try {
            news = await journalctl([`--after-cursor=${this.cursor}`]);
        } catch (error) {
            // Its entry was deleted, perhaps: from the beginning, next time.
            this.cursor = undefined;
            throw error;
        }
        this.remarks = news.remarks;
        this.cursor = news.cursor ?? this.cursor;
        const fresh = news.records.filter(one => !this.known.has(one.cursor));
        for (const one of fresh)
            this.known.add(one.cursor);
        this.records.push(...fresh);
        if (this.records.length > 2 * LONGEST)
            this.forgetOldest();
        return fresh.length > 0;
    }

    forgetOldest() {
        this.records.splice(0, this.records.length - LONGEST);
        this.known = new Set(this.records.map(one => one.cursor));
    }
}

// MARK: Clocks

/// The machine's clocks: they can differ from those of the person who looks. `boot` is its ID, and `start` when it began;
/// `ahead` is the time zone's, and `skew` how far this machine's clock is ahead of the browser's, all in µs.
export async function clocks() {
    try {
        const output = await Promise.resolve(cockpit.spawn(
            ["sh", "-c", "date +%s.%N; date +%z; cat /proc/sys/kernel/random/boot_id; cat /proc/uptime"],
            { err: "ignore" }));
        const [now, zone, boot, uptime] = output.split("\n");
        const time = Number(now) * 1e6;
        const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone);
        const ahead = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60e6;
        const start = time - Number(uptime.split(" ")[0]) * 1e6;
        if (![time, start].every(Number.isFinite))
            throw new Error("no clock");
        return { boot: boot.replaceAll("-", ""), start, ahead, skew: time - Date.now() * 1000 };
    } catch (error) {
        return { ahead: -new Date().getTimezoneOffset() * 60e6, skew: 0 };
    }
}

const DAY = 86400e6;

export const midnight = (clock, time) => Math.floor((time + clock.ahead) / DAY) * DAY - clock.ahead;

/// 14:03:12, or 14:03 if `isShort`.
export function timeOfDay(clock, time, isShort = false) {
    return new Date((time + clock.ahead) / 1000).toISOString().slice(11, isShort ? 16 : 19);
}

// MARK: Order

/// Dates all records on one clock, as `tacet log` does: boots in the journal's order, entries of a boot by its monotonic
/// clock, and all times of a boot from its last clock reading, which is the most likely to be right.
export function chronicle(all, clock) {
    const records = all.filter(one => one.event !== EXIT);
    const boots = new Map();
    for (const one of records) {
        if (!boots.has(one.boot))
            boots.set(one.boot, []);
        boots.get(one.boot).push(one);
    }
    const saves = new Map();
    for (const one of records) {
        const [boot, monotonic] = [one.get(Field.savedBoot), one.number(Field.savedMonotonic)];
        const realtime = one.number(Field.savedAt);
        if (boot && monotonic !== undefined && realtime !== undefined && !(saves.get(boot)?.monotonic >= monotonic))
            saves.set(boot, { monotonic, start: realtime - monotonic });
    }
    const moments = [];
    const dates = new Map();
    for (const [id, entries] of boots) {
        entries.sort((a, b) => a.monotonic - b.monotonic);
        const last = entries[entries.length - 1];
        const saved = saves.get(id);
        // The monotonic clock stands still while the system is suspended.
        const wakings = [];
        let suspended = 0;
        for (const one of entries) {
            if (one.event === Event.awake && one.get(Field.reason) === "suspended") {
                suspended += Math.max(0, one.number(Field.asleep) ?? 0);
                wakings.push({ monotonic: one.monotonic, suspended });
            }
        }
        let start = last.realtime - last.monotonic - suspended;
        if (clock.boot === id)
            start = clock.start;
        else if (saved && saved.monotonic > last.monotonic)
            start = saved.start - suspended;
        // If the clock went back between two boots, their order still holds.
        start = Math.max(start, moments[moments.length - 1]?.time ?? start);
        const date = monotonic =>
            start + monotonic + (wakings.findLast(waking => waking.monotonic <= monotonic)?.suspended ?? 0);
        dates.set(id, date);
        for (const one of entries)
            moments.push({ record: one, time: date(one.monotonic) });
    }
    const ends = new Map(all.filter(one => one.event === EXIT && one.invocation && dates.has(one.boot))
        .map(one => [one.invocation, dates.get(one.boot)(one.monotonic)]));
    return { moments, outages: outages(moments, dates, ends) };
}

/// The times in which no daemon ran: from its last sign on, and certainly from `certain` on.
function outages(moments, dates, ends) {
    const runs = [];
    for (const moment of moments) {
        const one = moment.record;
        // A daemon that was refused its start did not run.
        if (one.event === Event.startRefused)
            continue;
        let run = runs[runs.length - 1];
        const before = run?.last.record;
        const isSame = run && before.boot === one.boot && (one.process && before.process
            ? one.process === before.process : !run.isStopped && !(run.started && one.event === Event.started));
        if (!isSame) {
            run = { first: moment };
            runs.push(run);
        }
        run.last = moment;
        if (one.event === Event.started)
            run.started = moment;
        if (one.event === Event.stopping)
            run.isStopped = true;
    }
    const found = runs.slice(1).map((next, index) => {
        const run = runs[index];
        const isSameBoot = run.last.record.boot === next.first.record.boot;
        const stopped = isSameBoot ? "stopped" : "shut down";
        const started = next.started?.record;
        const cause = { stopped, killed: "killed", "power-cut": "no power" }[started?.get(Field.lastRun)] ??
            (run.isStopped ? stopped : isSameBoot ? "killed" : "no power");
        // A power cut loses the journal's last entries, so the saved state can be newer.
        const date = dates.get(started?.get(Field.savedBoot));
        const saved = date && started.number(Field.savedMonotonic) !== undefined
            ? date(started.number(Field.savedMonotonic)) : undefined;
        const isNewer = !run.isStopped && saved > run.last.time && saved < next.first.time;
        const [sign, to] = [isNewer ? saved : run.last.time, next.first.time];
        const end = ends.get(run.last.record.invocation);
        if (run.isStopped || end <= to) {
            const from = run.isStopped ? sign : Math.max(sign, end);
            return { cause, from, certain: from, to };
        }
        // Without power nothing runs until the next boot begins.
        const boot = isSameBoot ? undefined : dates.get(next.first.record.boot)?.(0);
        return { cause, from: sign, certain: Math.max(sign, Math.min(boot ?? to, to)), to };
    });
    const last = runs[runs.length - 1];
    if (last?.isStopped)
        found.push({ cause: "stopped", from: last.last.time, certain: last.last.time, to: undefined });
    return found;
}

// MARK: Spans

/// What was, from when to when, lane by lane.
class Lanes {
    lanes = new Map();

    lane(id, title) {
        if (!this.lanes.has(id))
            this.lanes.set(id, { id, title, spans: [] });
        return this.lanes.get(id);
    }

    /// Begins a span, and ends the present one.
    /// @param value {kind, what, details}; undefined: nothing from then on
    set(id, title, value, time) {
        const lane = this.lane(id, title);
        const open = lane.open;
        if (open && value && open.kind === value.kind && open.what === value.what)
            return open;
        this.end(id, time);
        lane.open = value && { ...value, details: value.details ?? [], from: time };
        return lane.open;
    }

    end(id, time, ...details) {
        const lane = this.lanes.get(id);
        if (!lane?.open)
            return;
        lane.spans.push({ ...lane.open, to: time, details: [...lane.open.details, ...details] });
        lane.open = undefined;
    }

    endAll(time, detail) {
        for (const id of this.lanes.keys())
            this.end(id, time, ...detail);
    }

    mark(id, title, what, kind, time, details = []) {
        this.lane(id, title).spans.push({ kind, what, details, from: time, to: time, isInstant: true });
    }
}

const level = text => text === "mute" ? "silence" : `${(text ?? "?").replace("-", "−")} dB`;
const fileName = path => path?.split("/").pop();
const quoted = names => names.join(", ");

/// The lanes of a chronicle up to `now`, in µs since 1970: the music; interruptions; a lane for each signal; sounds; a lane for each
/// output; faults; commands; and when nothing ran.
export function lanes({ moments, outages }, now) {
    const book = new Lanes();
    // The order of the picture.
    book.lane("music", "Music");
    book.lane("interruption", "Interruptions");
    const state = { signals: [] };
    const rest = [...outages];

    const interrupt = outage => {
        book.endAll(outage.from, ["not over when Tacet ended"]);
        Object.assign(state, { plays: undefined, intent: undefined, reason: undefined, level: undefined, signals: [] });
        state.sound = undefined;
    };
    for (const { record, time } of moments) {
        while (rest.length > 0 && rest[0].from < time)
            interrupt(rest.shift());
        if (record.event === Event.startRefused)
            book.mark("notices", "Notices", "start refused", "fault", time, [record.get(Field.reason)]);
        else
            take(book, state, record, time);
    }
    for (const outage of rest)
        interrupt(outage);
    for (const lane of book.lanes.values()) {
        if (lane.open)
            lane.spans.push({ ...lane.open, to: now, isOpen: true });
        lane.open = undefined;
    }
    const order = ["music", "interruption", "signal", "sound", "output", "recording", "device", "fault", "command", "notices"];
    const rank = lane => order.indexOf(lane.id.split(" ")[0]);
    return {
        lanes: [...book.lanes.values()].filter(lane => lane.spans.length > 0).sort((a, b) => rank(a) - rank(b)),
        outages: outages.map(outage => ({
            kind: "outage", what: outage.cause, details: [], from: outage.from, to: outage.to ?? now,
            isOpen: outage.to === undefined,
            atLeast: outage.certain > outage.from ? (outage.to ?? now) - outage.certain : undefined,
        })),
    };
}

function assert(book, record, isAsserted, time, kind = "signal") {
    const effect = record.get(Field.effect);
    for (const name of record.signals) {
        const what = kind === "suppressed" ? `${name} asserted, but suppressed` : `${name} asserted`;
        book.set(`signal ${name}`, name, isAsserted ? { kind, what, details: [effect && `effect: ${effect}`] } : undefined, time);
    }
}

/// Draws the conclusions of one entry.
function take(book, state, record, time) {
    const outcome = record.get(Field.outcome);
    const fault = () => [...record.signals, record.get(Field.button), record.get(Field.output), record.get(Field.sound),
        record.get(Field.device)].find(name => name) ?? "";
    state.intent = record.get(Field.intent) ?? state.intent;
    const plays = { yes: true, no: false }[record.get(Field.playing)];
    const isSilent = [Event.interruptionBegan, Event.mediaServicesLost, Event.programmeEnded, Event.stopping].includes(record.event);
    state.plays = plays ?? (isSilent ? false : state.plays);

    switch (record.event) {
    case Event.started:
        assert(book, record, true, time);
        book.mark("notices", "Notices", "started", "notice", time, [outcome]);
        break;
    case Event.reloaded:
        book.mark("notices", "Notices", "configuration reloaded", "notice", time, [outcome]);
        break;
    case Event.reloadRefused: case Event.configurationRejected:
        book.mark("notices", "Notices", "configuration rejected", "fault", time, [record.get(Field.reason), outcome]);
        break;
    case Event.interruptionBegan:
        state.reason = record.get(Field.reason) ?? "";
        state.signals = record.signals;
        book.set("interruption", "Interruptions", {
            kind: "interruption", what: `interrupted by ${quoted(record.signals) || state.reason || "something"}`,
            details: [state.reason && state.reason !== "default" ? `reason: ${state.reason}` : undefined],
        }, time);
        assert(book, record, true, time);
        break;
    case Event.interruptionEnded:
        state.reason = undefined;
        state.signals = [];
        book.end("interruption", time, outcome && `then: ${outcome}`);
        assert(book, record, false, time);
        break;
    case Event.interruptionHeard: {
        const open = book.lane("interruption", "Interruptions").open;
        const [latency, silent] = [record.number(Field.latency), record.number(Field.silent)];
        if (open && latency !== undefined) {
            open.details.push(`heard ${Math.round(latency / 1000)} ms after the edge` +
                (silent === undefined ? "" : `, complete after ${Math.round(silent / 1000)} ms`));
        }
        break;
    }
    case Event.duckBegan: case Event.duckChanged:
        state.level = record.get(Field.level);
        state.signals = record.signals;
        assert(book, record, record.event === Event.duckBegan || !book.lane(`signal ${record.signals[0]}`, record.signals[0]).open, time);
        break;
    case Event.duckEnded:
        state.level = undefined;
        assert(book, record, false, time);
        break;
    case Event.signal:
        if (record.get(Field.asserted) !== undefined)
            assert(book, record, record.get(Field.asserted) === "yes", time);
        if (record.get(Field.asserted) === "yes" && state.reason !== undefined)
            state.signals = [...new Set([...state.signals, ...record.signals])];
        break;
    case Event.signalSuppressed: assert(book, record, true, time, "suppressed"); break;
    case Event.remark: assert(book, record, false, time); break;
    case Event.soundBegan: {
        const kind = record.get(Field.announcement) === undefined ? "cue" : "announcement";
        state.sound = `${kind} ${record.get(Field.sound)}`;
        state.soundLevel = record.get(Field.level);
        book.set("sound", "Sounds", { kind: "sound", what: state.sound, details: [] }, time);
        break;
    }
    case Event.soundEnded: case Event.soundCut: {
        const kind = record.get(Field.announcement) === undefined ? "cue" : "announcement";
        // A hush also cuts announcements that wait.
        if (state.sound === `${kind} ${record.get(Field.sound)}`) {
            book.end("sound", time, record.event === Event.soundEnded ? "heard to its end" : outcome ?? "cut off");
            state.sound = undefined;
        }
        break;
    }
    case Event.soundExpired:
        book.mark("sound", "Sounds", `${record.get(Field.sound)} expired`, "fault", time, [outcome]);
        break;
    case Event.output: {
        const name = record.get(Field.output) ?? "output";
        const effect = record.get(Field.effect);
        book.set(`output ${name}`, name, record.get(Field.asserted) === "yes"
            ? { kind: "output", what: `${name} on`, details: [effect && `means: ${effect}`] } : undefined, time);
        break;
    }
    case Event.recordingBegan: book.set("recording", "Recording", { kind: "recording", what: "microphone recorded" }, time); break;
    case Event.recordingEnded: book.end("recording", time, record.get(Field.reason)); break;
    case Event.fault:
        book.set(`fault ${fault()} ${record.get(Field.fault)}`, `Fault: ${fault()}`, {
            kind: "fault", what: `${fault()}: ${record.get(Field.fault) ?? "fault"}`, details: [record.get(Field.reason)],
        }, time);
        break;
    case Event.faultCleared: book.end(`fault ${fault()} ${record.get(Field.fault)}`, time); break;
    case Event.mediaServicesLost:
        book.set("device", "Sound device", { kind: "fault", what: "sound device lost", details: [record.get(Field.reason)] }, time);
        break;
    case Event.mediaServicesReset: book.end("device", time, "it has returned"); break;
    case Event.storageLost: book.set("fault storage", "Fault: storage", { kind: "fault", what: "storage lost" }, time); break;
    case Event.storageReturned: book.end("fault storage", time); break;
    case Event.command:
        book.mark("command", "Commands", record.get(Field.command) ?? "command", "command", time, [
            record.get(Field.answer) && `answer: ${record.get(Field.answer)}`,
            record.get(Field.issuerName) ?? record.get(Field.issuer) ? `from ${record.get(Field.issuerName) ?? record.get(Field.issuer)}` : undefined,
            outcome && `then: ${outcome}`,
        ]);
        break;
    default: break;
    }

    if (state.plays === undefined || record.event === Event.stopping)
        return;
    const lowered = state.level ?? (state.sound && state.soundLevel);
    const track = fileName(record.get(Field.track));
    book.set("music", "Music", state.plays
        ? lowered === undefined ? { kind: "playing", what: "playing", details: [track] }
            : { kind: "ducked", what: `turned down to ${level(lowered)}`, details: [track] }
        : { kind: "quiet", what: quiet(state), details: [] }, time);
}

/// Why the music does not play, as far as the fields say.
function quiet(state) {
    if (state.reason !== undefined)
        return "quiet: interrupted";
    if (state.intent === "paused" || state.intent === "stopped")
        return `quiet: ${state.intent}`;
    return "quiet";
}
