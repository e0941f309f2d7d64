// Shows lines, switches, keys and jacks with their current levels, for wiring a board.

import { byId, element, Rows, setAttribute, setText } from "./elements.js";
import { ask, isDictionary, isListOf, isText } from "./program.js";

const PAUSE = 1000;

const isLine = line => isDictionary(line) && Number.isInteger(line.offset) && Array.isArray(line.for)
    && line.for.every(isDictionary);
const isLineListing = answer => isDictionary(answer)
    && isListOf(chip => isDictionary(chip) && isText(chip.name) && isListOf(isLine)(chip.lines))(answer.chips);
const isInputListing = answer => isDictionary(answer)
    && isListOf(device => isDictionary(device) && isText(device.name))(answer.devices)
    && isListOf(card => isDictionary(card) && isText(card.id))(answer.cards);

function createRow() {
    const [lamp, name, detail, state] = ["lamp", "name", "detail", "state"].map(name => element("span", { class: name }));
    const row = element("li", { class: "row wire" }, lamp, element("div", { class: "what" }, name, detail), state);
    Object.assign(row, { lamp, name, detail, state });
    return row;
}

function updateRow(row, { name, detail, state, isHigh, isImportant }) {
    if (row.wasHigh !== undefined && row.wasHigh !== isHigh) {
        // Restarts the animation.
        row.classList.remove("changed");
        void row.offsetWidth;
        row.classList.add("changed");
    }
    row.wasHigh = isHigh;
    setText(row.name, name);
    setText(row.detail, detail);
    setText(row.state, state);
    setAttribute(row.lamp, "data-level", isHigh === undefined ? "unknown" : isHigh ? "high" : "low");
    return isImportant;
}

function lineRow(chip, line) {
    const isHigh = line.level === 1 ? true : line.level === 0 ? false : undefined;
    const purposes = line.for.map(one => {
        const state = one.asserted === true ? "asserted" : one.asserted === false ? "not asserted" : "";
        return state ? `${one.name}: ${state}` : String(one.name);
    });
    const poll = Number.isInteger(line.poll_ms) ? `polled every ${line.poll_ms} ms` : "";
    const facts = [`${chip.name} ${line.offset}`, line.direction, line.bias, poll, line.used ? `used by ${line.user ?? "an unknown program"}` : ""];
    return {
        key: `${chip.path} ${line.offset}`, name: line.name ?? `line ${line.offset}`,
        detail: [...purposes, facts.filter(isText).filter(fact => fact).join(", ")].join(" · "),
        state: isHigh === undefined ? "not read" : isHigh ? "high" : "low", isHigh,
        isImportant: line.for.length > 0, isNotable: Boolean(line.name || line.used || line.for.length > 0),
    };
}

function inputRows(answer) {
    const devices = answer.devices.flatMap(device => {
        const codes = Array.isArray(device.codes) ? device.codes.filter(isDictionary) : undefined;
        if (!codes)
            return [{ key: device.path, name: device.name, detail: String(device.path), state: "no permission", isHigh: undefined }];
        // A keyboard has hundreds of keys.
        const shown = codes.length <= 12 ? codes : codes.filter(code => code.kind === "switch" || code.on);
        return shown.map(code => ({
            key: `${device.path} ${code.name}`, name: String(code.name), detail: `${device.name}, ${device.path}`,
            state: code.kind === "switch" ? code.on ? "on" : "off" : code.on ? "held" : "released", isHigh: code.on === true,
        }));
    });
    const cards = answer.cards.flatMap(card => Array.isArray(card.jacks)
        ? card.jacks.filter(isDictionary).map(jack => ({
            key: `card ${card.number} ${jack.name}`, name: String(jack.name), detail: `card ${card.number}, ${card.id}`,
            state: jack.plugged ? "plugged in" : "empty", isHigh: jack.plugged === true,
        }))
        : [{ key: `card ${card.number}`, name: card.id, detail: `card ${card.number}`, state: "no permission", isHigh: undefined }]);
    return [...devices, ...cards];
}

export class Wiring {
    constructor() {
        const rows = (id, noun) => {
            const list = element("ul", { class: "rows" });
            byId(id).append(list);
            return new Rows(list, noun, createRow, updateRow);
        };
        this.lines = rows("lines", "lines");
        this.inputs = rows("inputs", "inputs");
        // Until the first state arrives, the page is short and everything is in view, so it waits a moment.
        new IntersectionObserver(entries => {
            this.isInView = entries[entries.length - 1].isIntersecting;
            window.clearTimeout(this.timer);
            this.timer = window.setTimeout(() => this.wake(), 500);
        }).observe(byId("wiring"));
        document.addEventListener("visibilitychange", () => this.wake());
        byId("free-lines").addEventListener("change", () => this.wake());
    }

    get isWanted() { return this.isInView && document.visibilityState === "visible"; }

    wake() {
        setText(byId("wiring-live"), this.isWanted ? "live" : "paused");
        byId("wiring-live").toggleAttribute("data-live", this.isWanted);
        if (this.isWanted && !this.isRunning)
            this.loop();
    }

    async loop() {
        this.isRunning = true;
        while (this.isWanted) {
            await Promise.all([this.readLines(), this.readInputs()]);
            await new Promise(resolve => window.setTimeout(resolve, PAUSE));
        }
        this.isRunning = false;
    }

    async readLines() {
        // Requesting a line may disturb the device that is connected to it, so the user decides.
        const { answer, error, notes } = await ask("lines", byId("free-lines").checked ? ["--levels"] : [], isLineListing);
        const rows = answer?.chips.flatMap(chip => chip.lines.map(line => lineRow(chip, line))).filter(row => row.isNotable) ?? [];
        this.lines.show(rows.sort((a, b) => Number(b.isImportant) - Number(a.isImportant)));
        this.note("lines-note", [...notes, answer && rows.length === 0 && !error ? "None of the lines has a name or is in use." : ""]);
    }

    async readInputs() {
        const { answer, notes } = await ask("inputs", [], isInputListing);
        this.inputs.show(answer ? inputRows(answer) : []);
        this.note("inputs-note", notes);
    }

    note(id, notes) {
        const text = [...new Set(notes.filter(note => note).map(note => note.trim()))].slice(0, 5).join("\n");
        byId(id).hidden = text === "";
        setText(byId(id), text);
    }
}
