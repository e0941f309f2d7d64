// Lists the tracks of the library, and plays one of them. A library may have 250,000 tracks, so the list is short until
// somebody asks for more, and the daemon searches.

import { byId, element, Rows, setAttribute, setText } from "./elements.js";

/// The number of tracks that are shown at first, the number of those that are added, and the most that are shown.
const FIRST = 12;
const MORE = 50;
const MOST = 1000;

/// The time in ms after the last key or change for which a search waits.
const PAUSE = 300;

const isAnswer = ([names, count]) =>
    Array.isArray(names) && names.every(name => typeof name === "string") && typeof count === "number";

/// A list whose length is that of its items.
class AllRows extends Rows {
    fold() { /* There is nothing to fold. */ }
}

/// Returns a name as the last part of its path and the folders before it.
export function split(name) {
    const end = name.lastIndexOf("/");
    return { title: name.slice(end + 1), folder: name.slice(0, Math.max(end, 0)) };
}

/// Returns the command that plays a track. The dot keeps a name that begins with a space or with dashes in one piece.
export const playing = name => `play ${name.startsWith("/") ? "" : "./"}${name}`;

/// Returns the sentence about what was found.
export function summary(text, shown, count) {
    if (count === 0)
        return text === "" ? "The library has no tracks." : "No track has a name that contains this.";
    const tracks = `${count} ${count === 1 ? "track" : "tracks"}`;
    if (shown === count)
        return text === "" ? `${tracks}.` : `${tracks} found.`;
    return shown < MOST ? `The first ${shown} of ${tracks}.` : `The first ${shown} of ${tracks}. Search to find the others.`;
}

export class Library {
    names = [];
    count = 0;
    /// The text to which the names belong.
    text = "";
    limit = FIRST;
    /// The number of the last search. The answer of an earlier one is outdated.
    number = 0;

    /// @param play plays the track with this name
    constructor(daemon, play) {
        Object.assign(this, { daemon, play });
        this.field = byId("search");
        this.more = byId("more-tracks");
        this.rows = new AllRows(byId("track-list"), "tracks", item => this.row(item), (row, { mayPlay }) => {
            row.button.disabled = !mayPlay;
            setAttribute(row.button, "aria-describedby", mayPlay ? null : "may-not");
        });
        this.field.addEventListener("input", () => this.soon());
        this.more.addEventListener("click", () => this.extend());
    }

    row({ name, title, folder }) {
        const button = element("button", { type: "button", class: "button quiet", "aria-label": `Play ${name}` }, "Play");
        button.addEventListener("click", () => this.play(name));
        const what = element("div", { class: "what" },
            element("span", { class: "name" }, title), element("span", { class: "detail" }, folder));
        return Object.assign(element("li", { class: "row" }, what, button), { button });
    }

    show({ phase, mayCommand }) {
        const isRunning = phase === "running";
        const mayPlay = mayCommand === true;
        if (isRunning && !this.isRunning)
            this.search();
        if (mayPlay !== this.mayPlay) {
            this.mayPlay = mayPlay;
            this.draw();
        }
        this.isRunning = isRunning;
    }

    /// Searches after a pause.
    soon() {
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.search(), PAUSE);
    }

    async search() {
        window.clearTimeout(this.timer);
        const text = this.field.value.trim();
        const number = ++this.number;
        let answer, problem;
        try {
            answer = await this.daemon.tracks(text, 0);
        } catch (error) {
            problem = error.message || String(error.problem ?? error);
        }
        if (number !== this.number)
            return;
        if (!problem && !isAnswer(answer))
            problem = "This page does not understand the list from Tacet. Update the cockpit-tacet package.";
        if (problem)
            return this.say(problem, true);
        if (text !== this.text)
            this.limit = FIRST;
        [this.names, this.count] = answer;
        this.text = text;
        this.draw();
        this.say(summary(text, this.shown, this.count));
    }

    extend() {
        const before = this.shown;
        this.limit = this.shown + MORE;
        this.draw();
        this.say(summary(this.text, this.shown, this.count));
        // A hidden button would lose the keyboard's focus.
        if (this.more.hidden)
            this.rows.list.children[before]?.querySelector("button").focus();
    }

    get shown() { return Math.min(this.limit, this.names.length, MOST); }

    draw() {
        const items = this.names.slice(0, this.shown).map((name, index) =>
            // A playlist may contain a track twice.
            ({ key: `${index} ${name}`, name, ...split(name), mayPlay: this.mayPlay }));
        this.rows.show(items);
        this.more.hidden = this.shown >= Math.min(this.names.length, MOST);
    }

    say(text, isBad = false) {
        setText(byId("found"), text);
        byId("found").toggleAttribute("data-bad", isBad);
    }
}
