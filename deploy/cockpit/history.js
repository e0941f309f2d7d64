// The section with the history that `tacet timeline` derives from the journal.

import { byId, element, Rows, setAttribute, setText } from "./elements.js";
import { ask, isDictionary, isListOf, isText } from "./program.js";
import { listing, midnight, Timeline, zoomed } from "./timeline.js";

const VERSION = 1;

const isFlag = value => typeof value === "boolean";
/// True if a value is within the range of a date.
const isTime = value => Number.isFinite(value) && Math.abs(value) < 8e18;
const isLength = value => value === null || isTime(value);
const isSpan = span => isDictionary(span) && isText(span.kind) && isText(span.what) && isTime(span.began_usec)
    && isLength(span.lasted_usec) && isLength(span.at_least_usec) && isFlag(span.is_over) && isFlag(span.is_cut_short)
    && isListOf(isText)(span.details);
const isLane = lane => isDictionary(lane) && isText(lane.id) && isText(lane.title) && isListOf(isSpan)(lane.spans);
const isOffset = offset => isDictionary(offset) && isTime(offset.from_usec) && Number.isFinite(offset.ahead_sec);
/// True if this page understands an answer.
export const isHistory = answer => isDictionary(answer) && answer.version === VERSION && isTime(answer.now_usec)
    && isListOf(isOffset)(answer.offsets) && answer.offsets.length > 0 && isListOf(isLane)(answer.lanes);

/// Returns a span as it is drawn. Times are in µs since 1970.
/// @param now the end of a span that is not over
export function drawn(span, now) {
    const from = span.began_usec;
    return {
        kind: span.kind, what: span.what, details: span.details, from, isOpen: !span.is_over, isCutShort: span.is_cut_short,
        isInstant: span.is_over && span.lasted_usec === null, atLeast: span.at_least_usec,
        to: span.is_over ? from + (span.lasted_usec ?? 0) : Math.max(from, now),
    };
}

export class History {
    /// Messages for people about the answer.
    notes = [];

    constructor() {
        this.timeline = new Timeline(byId("chart"), (factor, at) => {
            const whole = this.range();
            this.view = zoomed(whole, this.view ?? whole, factor, at);
            this.draw();
        });
        byId("zoom-in").addEventListener("click", () => this.timeline.step(true));
        byId("zoom-out").addEventListener("click", () => this.timeline.step(false));
        this.rows = new Rows(byId("history-list"), "entries", () => {
            const [when, what, details] = ["when", "what", "detail"].map(name => element("span", { class: name }));
            return Object.assign(element("li", { class: "entry" }, when, what, details), { when, what, details });
        }, (row, item) => {
            setText(row.when, item.when);
            setText(row.what, item.what);
            setText(row.details, item.details);
            return false;
        });
        const buttons = [...document.querySelectorAll("[data-hours]")];
        for (const button of buttons) {
            button.addEventListener("click", () => {
                for (const one of buttons)
                    setAttribute(one, "aria-pressed", String(one === button));
                this.hours = button.dataset.hours;
                this.view = undefined;
                this.draw();
            });
        }
        this.hours = "day";
        this.first = this.read();
        // Spans that are not over grow, and while the daemon is not running, there are no events for new entries.
        window.setInterval(() => this.soon(), 30000);
        document.addEventListener("visibilitychange", () => this.soon());
    }

    /// Reads the history soon after an event, but only once for several events.
    soon() {
        this.timer ??= window.setTimeout(() => {
            this.timer = undefined;
            // A page that is not visible does not need to be updated.
            if (document.visibilityState === "visible")
                this.read();
        }, 700);
    }

    async read() {
        if (this.isReading) {
            this.isStale = true;
            return;
        }
        this.isReading = true;
        // A span that began yesterday may last until today.
        const { answer, error, notes } = await ask("timeline", ["--since", "yesterday"], isHistory);
        this.isReading = false;
        this.notes = notes;
        if (notes.length > 0 && (answer || error?.exit_status === 1))
            this.notes.push("With administrative access, this page can read the whole journal.");
        if (answer) {
            this.answer = answer;
            // The clock of this machine may differ from that of the browser.
            this.skew = answer.now_usec - Date.now() * 1000;
        }
        this.draw();
        if (this.isStale) {
            this.isStale = false;
            this.soon();
        }
    }

    /// The range of time that was selected. The view may be a part of it.
    range() {
        const until = Date.now() * 1000 + this.skew;
        const today = midnight(this.answer.offsets, until);
        const since = this.hours === "day" ? Math.min(today, until - 600e6) : until - Number(this.hours) * 3600e6;
        return { since, until };
    }

    draw() {
        if (this.answer)
            this.drawAnswer();
        const notes = [...this.notes];
        const isEmpty = !this.answer || this.timeline.spans.length === 0;
        if (notes.length === 0 && isEmpty && this.answer)
            notes.push("The journal has no entries for this time. Nothing happened, or Tacet was not running.");
        byId("timeline-note").hidden = notes.length === 0;
        setText(byId("timeline-note"), notes.join("\n"));
        byId("chart").hidden = isEmpty;
    }

    drawAnswer() {
        const whole = this.range();
        const lanes = this.answer.lanes.map(lane => ({ ...lane, spans: lane.spans.map(one => drawn(one, whole.until)) }));
        const data = {
            lanes: lanes.filter(lane => lane.id !== "outage"), ...this.view ?? whole, offsets: this.answer.offsets,
            outages: lanes.filter(lane => lane.id === "outage").flatMap(lane => lane.spans),
        };
        this.timeline.show(data);
        const entries = listing(data);
        this.rows.show(entries);
        byId("history").hidden = entries.length === 0;
    }
}
