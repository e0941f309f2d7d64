// The page: shows what the daemon reports, and sends commands to it.
/* global cockpit */

import { Check } from "./check.js";
import { Daemon } from "./daemon.js";
import { byId, decibels, element, headline, position, Rows, setAttribute, setText, span } from "./elements.js";
import { History } from "./history.js";
import { Library, playing } from "./library.js";
import { Wiring } from "./wiring.js";

const MUTE = -120;
/// As in tacet.css.
const isNarrow = window.matchMedia("(width <= 560px)");

// MARK: Why

/// Returns the state of the music in a word, and its value for the style sheet.
function mood(scene) {
    if (scene.quiet_cause !== undefined)
        return ["Quiet", "quiet"];
    if (scene.playing !== true)
        return ["Quiet", "quiet"];
    return scene.gain_db < 0 ? ["Turned down", "ducked"] : ["Playing", "playing"];
}

function showWhy(daemon, isNews) {
    const { phase, session } = daemon;
    const scene = session.Scene ?? {};
    byId("page").dataset.phase = phase;
    const [word, value] = {
        connecting: ["Connecting", "unknown"], stopped: ["Not running", "absent"], broken: ["No connection", "absent"],
        running: session.Scene ? mood(scene) : ["Running", "unknown"],
    }[phase];
    setText(byId("mood"), word);
    byId("hero").dataset.mood = value;
    const full = {
        connecting: "Connecting to Tacet …", stopped: "Tacet is not running, so no music plays.", broken: daemon.problem,
        running: session.Why ?? "This page does not understand the explanation from Tacet.",
    }[phase];
    const sentence = isNarrow.matches ? headline(full) : full;
    setText(byId("why"), sentence);
    byId("absence").hidden = phase !== "stopped";

    // The sentence is spoken when the cause changes, not every second.
    const cause = phase === "running" ? [word, scene.quiet_cause, scene.track, ...(scene.active ?? [])].join(" ") : `${phase} ${daemon.problem}`;
    if (isNews && cause !== showWhy.spoken) {
        showWhy.spoken = cause;
        setText(byId("spoken"), full);
    }
    const name = typeof scene.track !== "string" ? undefined : isNarrow.matches ? scene.track.split("/").pop() : scene.track;
    const track = name !== undefined && typeof scene.position === "number" ? `${name} · ${position(scene.position)}` : "";
    // Most sentences already name the track.
    byId("track").hidden = track === "" || sentence.includes(name);
    setText(byId("track"), track);
}

function showHealth({ phase, session, unknown }) {
    const complaints = [...session.Health ?? []];
    if (unknown.length > 0) {
        complaints.push(`This page does not understand ${unknown.join(", ")} of Tacet ${session.Version ?? "with an unknown version"}. ` +
            "Install the same version of the packages tacet and cockpit-tacet.");
    }
    byId("health").hidden = phase !== "running" || complaints.length === 0;
    const list = byId("health-list");
    if (list.dataset.shown !== complaints.join("\n")) {
        list.dataset.shown = complaints.join("\n");
        list.replaceChildren(...complaints.map(text => element("li", {}, text)));
    }
}

// MARK: Control

const ANSWERS = {
    success: "Done.",
    deferred: "Playback will start as soon as nothing blocks it.",
    noActionableNowPlayingItem: "Ignored: there is no track, or playback is stopped.",
    noSuchContent: "There is no such sound, or its file cannot be read.",
    commandFailed: "The command failed",
};

const HUSHED = {
    success: "All announcements are cancelled.",
    noActionableNowPlayingItem: "Ignored: there is no announcement.",
};

/// @param name the name of the track
const playedTexts = name => ({
    success: `Playing ${name}.`, noSuchContent: "The library no longer contains this track, or it cannot be played.",
});

/// The time for which a success is shown, in ms. A failure is shown until the next command.
const REMEMBERED = 8000;

/// @param id the node that shows the answer, which is next to the button, so that it is in view on a phone
function answer(text, isBad = false, id = "answer") {
    const node = byId(id);
    setText(node, text);
    node.toggleAttribute("data-bad", isBad);
    window.clearTimeout(node.timer);
    if (!isBad)
        node.timer = window.setTimeout(() => setText(node, ""), REMEMBERED);
}

/// @param texts the texts for answers to this command, by their words; ANSWERS contains the texts for the others
async function give(order, texts, id) {
    answer("", false, id);
    try {
        const [word, reason] = await order();
        const isBad = !["success", "deferred"].includes(word);
        const text = texts?.[word] ?? ANSWERS[word] ?? `Tacet answered: ${word}`;
        answer(reason ? `${text}: ${reason}` : text, isBad, id);
        return !isBad;
    } catch (error) {
        answer(error.message || String(error.problem ?? error), true, id);
        return false;
    }
}

class Volume {
    constructor(daemon) {
        this.daemon = daemon;
        this.slider = byId("volume");
        this.slider.addEventListener("input", () => {
            this.isMoving = true;
            this.label(Number(this.slider.value));
            this.send(`volume ${this.slider.value}dB`);
        });
        this.slider.addEventListener("change", () => { this.isMoving = false; });
        byId("mute").addEventListener("click", () =>
            this.send(this.level <= MUTE ? `volume ${this.loud ?? -12}dB` : "volume mute"));
    }

    /// While a user drags the slider, only the newest level is sent.
    async send(text) {
        this.next = text;
        if (this.isSending)
            return;
        this.isSending = true;
        while (this.next) {
            const now = this.next;
            this.next = undefined;
            if (!await give(() => this.daemon.command(now), { success: now === "volume mute" ? "Muted." : "Volume set." }))
                this.next = undefined;
        }
        this.isSending = false;
    }

    show(level) {
        if (typeof level !== "number")
            return;
        this.level = level;
        if (level > MUTE)
            this.loud = Math.round(level);
        setAttribute(byId("mute"), "aria-pressed", String(level <= MUTE));
        if (this.isMoving || this.isSending)
            return;
        this.slider.value = String(Math.max(level, Number(this.slider.min)));
        this.label(level);
    }

    label(level) {
        const text = level <= MUTE ? "mute" : decibels(level);
        setText(byId("volume-value"), text);
        setAttribute(this.slider, "aria-valuetext", text);
    }
}

function showControl(daemon, volume) {
    const { mayCommand, session } = daemon;
    byId("controls").disabled = mayCommand !== true;
    byId("hush").disabled = mayCommand !== true;
    byId("may-not").hidden = mayCommand !== false;
    for (const id of ["controls", "hush"])
        setAttribute(byId(id), "aria-describedby", mayCommand === false ? "may-not" : null);
    const intent = session.Scene?.intent;
    for (const button of document.querySelectorAll("[data-command]")) {
        const isMain = button.dataset.command === (intent === "playing" ? "pause" : "play");
        button.classList.toggle("primary", intent !== undefined && isMain);
    }
    volume.show(session.Scene?.volume_db);
}

// MARK: Signals, sounds, outputs

const EFFECTS = {
    pause: "pauses the music", duck: "turns the music down", "mute-microphone": "mutes the microphone",
    checkpoint: "saves the state", ignore: "has no effect",
};
const STATES = { deasserted: "not asserted", inForce: "active", suppressed: "suppressed", dropped: "stuck" };
const SOUND_STATES = { due: "playing", waiting: "waiting", idle: "" };
const MEANINGS = {
    amplifier: "anything plays", playing: "the music plays", ducked: "the music is turned down",
    interrupted: "the music is interrupted", recording: "Tacet records from the microphone",
    sounding: "a sound plays or is about to play", silent: "nothing is to be heard", healthy: "there is no fault",
};

const INPUT_STATES = { silent: "silent", sounding: "waiting", selected: "playing", lost: "lost" };
const ROLES = { programme: "replaces the library", automatic: "replaces the library by itself", page: "is a page" };

function plainRow() {
    const [lamp, name, detail, state] = ["lamp", "name", "detail", "state"].map(name => element("span", { class: name }));
    return Object.assign(
        element("li", { class: "row" }, lamp, element("div", { class: "what" }, name, detail), state),
        { lamp, name, detail, state });
}

function fillRow(row, { name, detail, state, lamp, isActive }) {
    setText(row.name, name);
    setText(row.detail, detail);
    setText(row.state, state);
    setAttribute(row.lamp, "data-lamp", lamp);
    return isActive;
}

class Lists {
    constructor(daemon) {
        this.signals = new Rows(byId("signal-list"), "signals", plainRow, fillRow);
        this.outputs = new Rows(byId("output-list"), "outputs", plainRow, fillRow);
        this.inputs = new Rows(byId("input-list"), "inputs", item => {
            const row = plainRow();
            row.meter = element("meter", { min: "-60", max: "0", "aria-label": `Level of ${item.name}` });
            row.detail.after(row.meter);
            return row;
        }, (row, item) => {
            row.meter.value = Math.max(item.level, -60);
            setAttribute(row.meter, "title", item.level <= MUTE ? "nothing arrives" : `${Math.round(item.level)} dBFS`);
            return fillRow(row, item);
        });
        this.sounds = new Rows(byId("sound-list"), "sounds", item => {
            const row = plainRow();
            row.button = element("button", { type: "button", class: "button quiet", "aria-label": `Announce ${item.name}` }, "Announce");
            row.button.addEventListener("click", () =>
                give(() => daemon.announce(item.name), { success: `${item.name} is announced.` }, "sound-answer"));
            row.append(row.button);
            return row;
        }, (row, item) => {
            row.button.disabled = !item.canAnnounce;
            setAttribute(row.button, "aria-describedby", item.canAnnounce ? null : "may-not");
            return fillRow(row, item);
        });
    }

    show({ session, mayCommand, phase }) {
        const states = new Map(session.SignalStates ?? []);
        const signals = (session.Signals ?? []).map(([name, effect, isActive]) => {
            const state = states.get(name) ?? (isActive ? "inForce" : "deasserted");
            const lamp = { deasserted: "off", inForce: "on" }[state] ?? "odd";
            return { key: name, name, detail: EFFECTS[effect] ?? effect, state: STATES[state] ?? state, lamp, isActive: lamp !== "off" };
        });
        // The list of problems shows the reason why a file cannot be read.
        const sounds = (session.Sounds ?? []).map(([name, seconds, isReadable, , state]) => ({
            key: name, name, canAnnounce: mayCommand === true && isReadable,
            detail: isReadable ? seconds > 0 ? span(seconds * 1e6) : "length unknown" : "its file cannot be read",
            state: SOUND_STATES[state] ?? state, lamp: isReadable ? state === "due" ? "on" : "off" : "odd", isActive: state !== "idle",
        }));
        const outputs = (session.Outputs ?? []).map(([name, meaning, isOn]) => ({
            key: name, name, detail: `on while ${MEANINGS[meaning] ?? meaning}`, state: isOn ? "on" : "off", lamp: isOn ? "on" : "off",
            isActive: isOn,
        }));
        this.signals.show(signals);
        this.sounds.show(sounds);
        const inputs = (session.Inputs ?? []).map(([name, from, role, state, level]) => ({
            key: name, name, level, detail: `${ROLES[role] ?? role}, from ${from}`, state: INPUT_STATES[state] ?? state,
            lamp: { silent: "off", lost: "odd" }[state] ?? "on", isActive: state !== "silent",
        }));
        this.outputs.show(outputs);
        this.inputs.show(inputs);
        byId("live-inputs").hidden = inputs.length === 0;
        for (const [id, items, words] of [
            ["signals", signals, "No signals are configured."], ["sounds", sounds, "No sounds are configured."],
            ["outputs", outputs, "No outputs are configured."],
        ]) {
            const isEmpty = phase === "running" && items.length === 0;
            setAttribute(byId(id), "data-empty", isEmpty ? words : null);
        }
        byId("hush").hidden = sounds.length === 0;
        this.facts(session);
    }

    facts(session) {
        const route = { fallback: "a fallback", unplugged: "nothing is plugged into its jack" }[session.Route];
        const device = session.Device && [session.Device, session.DeviceAvailable ? route : "not available"].filter(Boolean).join(", ");
        const facts = [
            ["Sound device", device],
            ["Microphone", session.Recording ? `recording into ${session.RecordingFile || "a file"}` : session.MicrophoneMuted ? "muted" : undefined],
        ].filter(([, value]) => value);
        const text = JSON.stringify(facts);
        if (byId("facts").dataset.shown === text)
            return;
        byId("facts").dataset.shown = text;
        byId("facts").replaceChildren(...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    }
}

// MARK: Start

async function startService() {
    const button = byId("start");
    if (button.hasAttribute("aria-disabled"))
        return;
    // A disabled button would lose the keyboard's focus.
    setAttribute(button, "aria-disabled", "true");
    setText(byId("start-answer"), "Starting …");
    try {
        await Promise.resolve(cockpit.spawn(["systemctl", "start", "tacet.service"], { superuser: "require", err: "message" }));
        setText(byId("start-answer"), "Started. Waiting until it is connected to the bus …");
    } catch (error) {
        setText(byId("start-answer"), error.problem === "access-denied" || error.problem === "authentication-failed"
            ? "You need administrative access to start Tacet."
            : `Tacet cannot be started: ${error.message || error.problem}`);
    }
    setAttribute(button, "aria-disabled", null);
}

function main() {
    let lists, volume, history, library;
    const daemon = new Daemon(isNews => {
        if (!lists)
            return;
        showWhy(daemon, isNews);
        showHealth(daemon);
        showControl(daemon, volume);
        lists.show(daemon);
        library.show(daemon);
        for (const node of document.querySelectorAll("[data-needs=running]"))
            node.hidden = daemon.phase !== "running";
        if (daemon.phase === "running")
            setText(byId("start-answer"), "");
        else
            answer("");
        setText(byId("footer"), daemon.session.Version ? `Tacet ${daemon.session.Version}` : "");
        if (isNews)
            history.soon();
    });
    volume = new Volume(daemon);
    lists = new Lists(daemon);
    history = new History();
    library = new Library(daemon, name => give(() => daemon.play(playing(name)), playedTexts(name), "track-answer"));
    daemon.listed = () => library.soon();
    daemon.changed(true);
    isNarrow.addEventListener("change", () => daemon.changed(false));
    for (const button of document.querySelectorAll("[data-command]"))
        button.addEventListener("click", () => give(() => daemon.command(button.dataset.command)));
    byId("hush").addEventListener("click", () => give(() => daemon.hush(), HUSHED, "sound-answer"));
    byId("start").addEventListener("click", startService);
    byId("unit").addEventListener("click", () => cockpit.jump("/system/services#/tacet.service", cockpit.transport.host));
    // Until the page has its final height, all sections are in view.
    history.first.then(() => {
        new Wiring();
        new Check();
    });
}

main();
