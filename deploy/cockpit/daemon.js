// Communicates with the daemon over the system bus: receives its reports, and sends commands to it.
/* global cockpit */

const NAME = "org.mpris.MediaPlayer2.tacet";
const PATH = "/org/mpris/MediaPlayer2";
const SESSION = "org.tacet.Session1";
const PROPERTIES = "org.freedesktop.DBus.Properties";
const DENIED = "org.freedesktop.DBus.Error.AccessDenied";

const isText = value => typeof value === "string";
const isFlag = value => typeof value === "boolean";
const isNumber = value => typeof value === "number";
const isTexts = value => Array.isArray(value) && value.every(isText);
const isDictionary = value => typeof value === "object" && value !== null && !Array.isArray(value);
// A later version may append members.
const rows = (...members) => value => Array.isArray(value) && value.every(row =>
    Array.isArray(row) && members.every((is, index) => is(row[index])));

/// The properties that this page reads, and the shapes that they must have. Other properties are ignored.
const SHAPES = {
    Version: isText,
    Why: isText,
    Health: isTexts,
    Signals: rows(isText, isText, isFlag),
    SignalStates: rows(isText, isText),
    Outputs: rows(isText, isText, isFlag),
    Inputs: rows(isText, isText, isText, isText, isNumber),
    Sounds: rows(isText, isNumber, isFlag, isText, isText),
    Device: isText,
    DeviceAvailable: isFlag,
    Route: isText,
    Recording: isFlag,
    RecordingFile: isText,
    MicrophoneMuted: isFlag,
    Scene: isDictionary,
};

/// A variant is {t: type, v: value}.
const plain = variant => variant?.v;

function unwrap(name, variant) {
    const value = plain(variant);
    if (name !== "Scene" || !isDictionary(value))
        return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

export class Daemon {
    /// One of connecting, running, stopped (nobody owns the name) and broken (no bus, or no permission to read)
    phase = "connecting";
    /// The reason in words while the phase is broken.
    problem = "";
    /// The properties that the daemon has and that this page understands.
    session = {};
    /// The names of the properties that do not have the expected type.
    unknown = [];
    /// True if this user may send commands. Null while this has not been determined.
    mayCommand = null;

    /// @param changed is called after every change
    constructor(changed) {
        this.changed = changed;
        this.permission = cockpit.permission({ admin: true });
        this.permission.addEventListener("changed", () => {
            // The channel keeps the permissions with which it was opened.
            if (this.wasAdministrator !== undefined && this.wasAdministrator !== this.permission.allowed)
                this.open();
            this.wasAdministrator = this.permission.allowed;
        });
        this.open();
        window.setInterval(() => this.tick(), 1000);
        document.addEventListener("visibilitychange", () => this.tick());
    }

    open() {
        const former = this.client;
        this.client = null;
        former?.close();
        window.clearTimeout(this.retry);
        this.mayCommand = null;
        const client = cockpit.dbus(NAME, { bus: "system", superuser: "try" });
        this.client = client;
        client.addEventListener("owner", (event, owner) => {
            if (client === this.client)
                this.owned(owner);
        });
        client.addEventListener("close", (event, options) => {
            if (client === this.client)
                this.closed(options?.problem, options?.message);
        });
        client.subscribe({ path: PATH }, (path, sender, member, values) => {
            if (client !== this.client)
                return;
            if (member === "TrackListReplaced")
                this.listed?.();
            if (!["Event", "PropertiesChanged"].includes(member))
                return;
            if (member === "Event" && this.happened)
                this.happened(values);
            this.refresh(true);
        });
        client.wait().then(() => {
            if (client === this.client)
                this.owned(true);
        }, () => { /* “close” reports it. */ });
    }

    owned(owner) {
        if (owner) {
            this.refresh(true);
            this.probe();
        } else {
            this.stop("stopped", "");
        }
    }

    closed(problem, message) {
        this.client = null;
        if (!problem || problem === "not-found")
            this.stop("stopped", "");
        else if (problem === "disconnected")
            this.stop("broken", "The connection to this machine or its message bus is lost. The page keeps trying to reconnect.");
        else if (problem === "access-denied")
            this.stop("broken", "You do not have permission to use the system's message bus.");
        else
            this.stop("broken", message || `The system's message bus cannot be used (${problem}). The page keeps trying to connect.`);
        this.retry = window.setTimeout(() => this.open(), 2000);
    }

    stop(phase, problem) {
        Object.assign(this, { phase, problem, session: {}, unknown: [], mayCommand: null });
        this.changed(true);
    }

    /// Finds out whether this user may send commands. It sends an invalid command, which does not have any effect because
    /// either the daemon or the bus rejects it.
    probe() {
        const client = this.client;
        Promise.resolve(client.call(PATH, SESSION, "Command", [""], { type: "s" }))
            .then(() => true, error => error.name !== DENIED)
            .then(may => {
                if (client !== this.client || this.phase === "stopped")
                    return;
                this.mayCommand = may;
                this.changed(false);
            });
    }

    /// @param isNews true if an event has occurred, rather than only time having passed
    refresh(isNews) {
        this.isNews ||= isNews;
        if (this.isReading) {
            this.isStale = true;
            return;
        }
        const client = this.client;
        if (!client)
            return;
        this.isReading = true;
        this.isStale = false;
        const reply = client.call(PATH, PROPERTIES, "GetAll", [SESSION], { type: "s", timeout: 10000 });
        // Cockpit's own promises differ between its versions.
        Promise.resolve(reply).then(([values]) => {
            if (client === this.client)
                this.take(values);
        }, error => {
            if (client !== this.client)
                return;
            if (error.name === DENIED)
                this.stop("broken", "You do not have permission to read Tacet's state on the bus.");
            else if (/NameHasNoOwner|ServiceUnknown/.test(error.name ?? ""))
                this.stop("stopped", "");
            else if (this.phase !== "running" || error.name?.endsWith(".NoReply") || error.name?.endsWith(".Timeout"))
                this.stop("broken", `Tacet does not answer: ${error.message || error.problem}`);
        }).finally(() => {
            this.isReading = false;
            if (this.isStale)
                this.refresh(false);
        });
    }

    take(values) {
        const session = {};
        const unknown = [];
        for (const [name, is] of Object.entries(SHAPES)) {
            const value = unwrap(name, values[name]);
            if (is(value))
                session[name] = value;
            else
                unknown.push(name);
        }
        const isNews = this.isNews || this.phase !== "running";
        this.isNews = false;
        Object.assign(this, { phase: "running", problem: "", session, unknown });
        this.changed(isNews);
    }

    /// The sentence and the position change without a signal.
    tick() {
        if (document.visibilityState === "visible" && this.client && this.phase !== "stopped")
            this.refresh(false);
    }

    /// @returns a promise of the answer and, if it failed, the reason
    command(text) { return this.call("Command", [text], "s"); }
    /// Plays a track, which Tacet may have to find on a slow disk.
    play(text) { return this.call("Command", [text], "s", 30000); }
    announce(sound) { return this.call("Announce", [sound, {}], "sa{sv}").then(([answer]) => [answer, ""]); }
    hush() { return this.call("Hush", [], "").then(([answer]) => [answer, ""]); }

    /// @returns a promise of names that contain the text, and of the number of all such names
    async tracks(text, first) {
        if (!this.client)
            throw new Error("Tacet is not running.");
        return await this.client.call(PATH, SESSION, "Tracks", [text, first], { type: "su", timeout: 30000 });
    }

    async call(method, values, type, timeout = 10000) {
        if (!this.client)
            throw new Error("Tacet is not running.");
        try {
            return await this.client.call(PATH, SESSION, method, values, { type, timeout });
        } catch (error) {
            if (error.name !== DENIED)
                throw error;
            this.mayCommand = false;
            this.changed(false);
            throw new Error("You do not have permission to control Tacet.");
        } finally {
            this.refresh(true);
        }
    }
}
