// The daemon's history, from the journal's fields. Messages are for people, so they are never interpreted.
/* global cockpit */

/// The fields that are read, besides journald's own.
const FIELDS = [
    "EVENT", "SIGNAL", "BUTTON", "OUTPUT", "DEVICE", "SOUND", "ANNOUNCEMENT", "EFFECT", "ASSERTED", "FAULT", "REASON",
    "SHOULD_RESUME", "OUTCOME", "PLAYING", "RECORDING", "INTENT", "TRACK", "LATENCY_USEC", "SILENT_USEC", "LEVEL", "COMMAND",
    "ANSWER", "ISSUER", "ISSUER_COMM", "ASLEEP_USEC", "LAST_RUN", "SAVED_AT_USEC", "SAVED_MONOTONIC_USEC", "SAVED_BOOT_ID",
    "DELAY_USEC",
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
    const event = isExit ? EXIT : texts(entry.TACET_EVENT)[0];
    const [realtime, monotonic] = [Number(entry.__REALTIME_TIMESTAMP), Number(entry.__MONOTONIC_TIMESTAMP)];
    if (event === undefined || !Number.isFinite(realtime) || !Number.isFinite(monotonic))
        return undefined;
    // An entry that waited for the journal is older than the journal says.
    const delay = Number(texts(entry.TACET_DELAY_USEC)[0] ?? 0);
    const waited = Number.isFinite(delay) ? Math.max(0, Math.min(delay, realtime, monotonic)) : 0;
    return {
        event, realtime: realtime - waited, monotonic: monotonic - waited, boot: text(entry._BOOT_ID) ?? "",
        process: text(entry._PID), cursor: entry.__CURSOR,
        signals: texts(entry.TACET_SIGNAL),
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
        const [boot, monotonic] = [one.get("SAVED_BOOT_ID"), one.number("SAVED_MONOTONIC_USEC")];
        const realtime = one.number("SAVED_AT_USEC");
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
            if (one.event === "awake" && one.get("REASON") === "suspended") {
                suspended += Math.max(0, one.number("ASLEEP_USEC") ?? 0);
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
        if (one.event === "start-refused")
            continue;
        let run = runs[runs.length - 1];
        const before = run?.last.record;
        const isSame = run && before.boot === one.boot && (one.process && before.process
            ? one.process === before.process : !run.isStopped && !(run.started && one.event === "started"));
        if (!isSame) {
            run = { first: moment };
            runs.push(run);
        }
        run.last = moment;
        if (one.event === "started")
            run.started = moment;
        if (one.event === "stopping")
            run.isStopped = true;
    }
    const found = runs.slice(1).map((next, index) => {
        const run = runs[index];
        const isSameBoot = run.last.record.boot === next.first.record.boot;
        const stopped = isSameBoot ? "stopped" : "shut down";
        const started = next.started?.record;
        const cause = { stopped, killed: "killed", "power-cut": "no power" }[started?.get("LAST_RUN")] ??
            (run.isStopped ? stopped : isSameBoot ? "killed" : "no power");
        // A power cut loses the journal's last entries, so the saved state can be newer.
        const date = dates.get(started?.get("SAVED_BOOT_ID"));
        const saved = date && started.number("SAVED_MONOTONIC_USEC") !== undefined
            ? date(started.number("SAVED_MONOTONIC_USEC")) : undefined;
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
        if (record.event === "start-refused")
            book.mark("notices", "Notices", "start refused", "fault", time, [record.get("REASON")]);
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
    const effect = record.get("EFFECT");
    for (const name of record.signals) {
        const what = kind === "suppressed" ? `${name} asserted, but suppressed` : `${name} asserted`;
        book.set(`signal ${name}`, name, isAsserted ? { kind, what, details: [effect && `effect: ${effect}`] } : undefined, time);
    }
}

/// Draws the conclusions of one entry.
function take(book, state, record, time) {
    const outcome = record.get("OUTCOME");
    const fault = () => [...record.signals, record.get("BUTTON"), record.get("OUTPUT"), record.get("SOUND"),
        record.get("DEVICE")].find(name => name) ?? "";
    state.intent = record.get("INTENT") ?? state.intent;
    const plays = { yes: true, no: false }[record.get("PLAYING")];
    const isSilent = ["interruption-began", "media-services-lost", "programme-ended", "stopping"].includes(record.event);
    state.plays = plays ?? (isSilent ? false : state.plays);

    switch (record.event) {
    case "started":
        assert(book, record, true, time);
        book.mark("notices", "Notices", "started", "notice", time, [outcome]);
        break;
    case "reloaded":
        book.mark("notices", "Notices", "configuration reloaded", "notice", time, [outcome]);
        break;
    case "reload-refused": case "configuration-rejected":
        book.mark("notices", "Notices", "configuration rejected", "fault", time, [record.get("REASON"), outcome]);
        break;
    case "interruption-began":
        state.reason = record.get("REASON") ?? "";
        state.signals = record.signals;
        book.set("interruption", "Interruptions", {
            kind: "interruption", what: `interrupted by ${quoted(record.signals) || state.reason || "something"}`,
            details: [state.reason && state.reason !== "default" ? `reason: ${state.reason}` : undefined],
        }, time);
        assert(book, record, true, time);
        break;
    case "interruption-ended":
        state.reason = undefined;
        state.signals = [];
        book.end("interruption", time, outcome && `then: ${outcome}`);
        assert(book, record, false, time);
        break;
    case "interruption-heard": {
        const open = book.lane("interruption", "Interruptions").open;
        const [latency, silent] = [record.number("LATENCY_USEC"), record.number("SILENT_USEC")];
        if (open && latency !== undefined) {
            open.details.push(`heard ${Math.round(latency / 1000)} ms after the edge` +
                (silent === undefined ? "" : `, complete after ${Math.round(silent / 1000)} ms`));
        }
        break;
    }
    case "duck-began": case "duck-changed":
        state.level = record.get("LEVEL");
        state.signals = record.signals;
        assert(book, record, record.event === "duck-began" || !book.lane(`signal ${record.signals[0]}`, record.signals[0]).open, time);
        break;
    case "duck-ended":
        state.level = undefined;
        assert(book, record, false, time);
        break;
    case "signal":
        if (record.get("ASSERTED") !== undefined)
            assert(book, record, record.get("ASSERTED") === "yes", time);
        if (record.get("ASSERTED") === "yes" && state.reason !== undefined)
            state.signals = [...new Set([...state.signals, ...record.signals])];
        break;
    case "signal-suppressed": assert(book, record, true, time, "suppressed"); break;
    case "remark": assert(book, record, false, time); break;
    case "sound-began": {
        const kind = record.get("ANNOUNCEMENT") === undefined ? "cue" : "announcement";
        state.sound = `${kind} ${record.get("SOUND")}`;
        state.soundLevel = record.get("LEVEL");
        book.set("sound", "Sounds", { kind: "sound", what: state.sound, details: [] }, time);
        break;
    }
    case "sound-ended": case "sound-cut": {
        const kind = record.get("ANNOUNCEMENT") === undefined ? "cue" : "announcement";
        // A hush also cuts announcements that wait.
        if (state.sound === `${kind} ${record.get("SOUND")}`) {
            book.end("sound", time, record.event === "sound-ended" ? "heard to its end" : outcome ?? "cut off");
            state.sound = undefined;
        }
        break;
    }
    case "sound-expired":
        book.mark("sound", "Sounds", `${record.get("SOUND")} expired`, "fault", time, [outcome]);
        break;
    case "output": {
        const name = record.get("OUTPUT") ?? "output";
        const effect = record.get("EFFECT");
        book.set(`output ${name}`, name, record.get("ASSERTED") === "yes"
            ? { kind: "output", what: `${name} on`, details: [effect && `means: ${effect}`] } : undefined, time);
        break;
    }
    case "recording-began": book.set("recording", "Recording", { kind: "recording", what: "microphone recorded" }, time); break;
    case "recording-ended": book.end("recording", time, record.get("REASON")); break;
    case "fault":
        book.set(`fault ${fault()} ${record.get("FAULT")}`, `Fault: ${fault()}`, {
            kind: "fault", what: `${fault()}: ${record.get("FAULT") ?? "fault"}`, details: [record.get("REASON")],
        }, time);
        break;
    case "fault-cleared": book.end(`fault ${fault()} ${record.get("FAULT")}`, time); break;
    case "media-services-lost":
        book.set("device", "Sound device", { kind: "fault", what: "sound device lost", details: [record.get("REASON")] }, time);
        break;
    case "media-services-reset": book.end("device", time, "it has returned"); break;
    case "storage-lost": book.set("fault storage", "Fault: storage", { kind: "fault", what: "storage lost" }, time); break;
    case "storage-back": book.end("fault storage", time); break;
    case "command":
        book.mark("command", "Commands", record.get("COMMAND") ?? "command", "command", time, [
            record.get("ANSWER") && `answer: ${record.get("ANSWER")}`,
            record.get("ISSUER_COMM") ?? record.get("ISSUER") ? `from ${record.get("ISSUER_COMM") ?? record.get("ISSUER")}` : undefined,
            outcome && `then: ${outcome}`,
        ]);
        break;
    default: break;
    }

    if (state.plays === undefined || record.event === "stopping")
        return;
    const lowered = state.level ?? (state.sound && state.soundLevel);
    const track = fileName(record.get("TRACK"));
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
