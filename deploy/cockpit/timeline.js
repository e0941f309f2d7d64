// Draws lanes of spans as an SVG, with a tooltip for each span, which the pointer and the arrow keys show.

import { element, shape, setText, span } from "./elements.js";

const AXIS = 26;
const BAR = 18;
/// The minimum width of a span, because narrower spans are hard to see and to touch.
const NARROWEST = 3;
const NARROW_PAGE = 560;
/// The shortest view, in µs. The axis shows minutes.
const NEAREST = 10 * 60e6;
/// The factor by which a view becomes longer with each step.
const STEP = 2;
/// Steps of the axis, in µs.
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map(minutes => minutes * 60e6);

const DAY = 86400e6;

/// Returns the µs by which the board's time zone is ahead of UTC at a time.
const ahead = (offsets, time) => (offsets.findLast(one => one.from_usec <= time) ?? offsets[0]).ahead_sec * 1e6;

export function midnight(offsets, time) {
    const day = Math.floor((time + ahead(offsets, time)) / DAY) * DAY;
    // Summer time may have begun since.
    return day - ahead(offsets, day - ahead(offsets, time));
}

/// Returns a time such as 14:03:12, or 14:03 if `isShort`.
function timeOfDay(offsets, time, isShort = false) {
    return new Date((time + ahead(offsets, time)) / 1000).toISOString().slice(11, isShort ? 16 : 19);
}

/// Returns the duration of a span, as `tacet log` writes it.
function length(one) {
    const most = span(one.to - one.from);
    if (one.isOpen)
        return `${most} so far`;
    if (one.isCutShort)
        return `${span(one.atLeast)} or longer`;
    if (one.atLeast === one.to - one.from)
        return most;
    return one.atLeast > 0 ? `${span(one.atLeast)} to ${most}` : `at most ${most}`;
}

/// Returns the lines of the tooltip of a span.
export function words(offsets, one) {
    const from = timeOfDay(offsets, one.from);
    if (one.isInstant)
        return [one.what, from, ...one.details];
    const to = one.isOpen ? "now" : timeOfDay(offsets, one.to);
    return [one.what, `${from} – ${to} (${length(one)})`, ...one.details];
}

/// Returns a part of a range of time, `factor` times as long as the view, with `at` at the same position.
/// @returns undefined for the whole range
export function zoomed(whole, view, factor, at) {
    const length = Math.max(NEAREST, (view.until - view.since) * factor);
    if (length >= whole.until - whole.since)
        return undefined;
    const share = (at - view.since) / (view.until - view.since);
    const since = Math.min(Math.max(at - share * length, whole.since), whole.until - length);
    return { since, until: since + length };
}

const spoken = lines => lines.filter(line => line).join("; ");

export class Timeline {
    /// @param zoom is called with the factor and the time at which the user zooms
    constructor(container, zoom) {
        Object.assign(this, { container, zoom });
        this.tooltip = element("div", { class: "tooltip", role: "tooltip", hidden: true });
        this.picture = element("div", { class: "picture" });
        container.append(this.picture, this.tooltip);
        // This runs after the observer's round, because drawing changes sizes again, which browsers report as an error.
        new ResizeObserver(() => window.requestAnimationFrame(() => {
            if (this.data && container.clientWidth !== this.width)
                this.draw();
        })).observe(container);
        this.picture.addEventListener("keydown", event => this.pressed(event));
        this.picture.addEventListener("focusin", event => {
            this.pointAt(event.target);
            this.chosen = this.spans.find(one => one.node === event.target)?.from ?? this.chosen;
        });
        // Browsers report a pinch on a touchpad as a wheel with this key.
        this.picture.addEventListener("wheel", event => {
            if (!event.ctrlKey || !this.data)
                return;
            event.preventDefault();
            this.zoom(event.deltaY < 0 ? 1 / STEP : STEP, this.timeAt(event.clientX));
        }, { passive: false });
        this.picture.addEventListener("dblclick", event => this.data && this.zoom(1 / STEP, this.timeAt(event.clientX)));
        this.picture.addEventListener("focusout", () => this.hide());
        this.picture.addEventListener("pointerover", event => this.pointAt(event.target.closest("[data-key]")));
        this.picture.addEventListener("pointerleave", () => this.hide());
        this.picture.addEventListener("click", event => event.target.closest("[data-key]")?.focus());
    }

    /// Returns the time below the pointer.
    timeAt(clientX) {
        const { since, until } = this.data;
        const share = (clientX - this.container.getBoundingClientRect().left - this.gutter) / (this.width - this.gutter - 1);
        return since + Math.min(Math.max(share, 0), 1) * (until - since);
    }

    /// Zooms at the span that was selected last, or else in the middle.
    step(isCloser) {
        if (!this.data)
            return;
        const { since, until } = this.data;
        const isShown = this.chosen >= since && this.chosen <= until;
        this.zoom(isCloser ? 1 / STEP : STEP, isShown ? this.chosen : (since + until) / 2);
    }

    /// @param data {lanes, outages, since, until, offsets}; times in µs since 1970
    show(data) {
        this.data = data;
        this.draw();
    }

    draw() {
        const { lanes, outages, since, until, offsets } = this.data;
        this.width = this.container.clientWidth;
        const isNarrow = this.width < NARROW_PAGE;
        const gutter = isNarrow ? 0 : 150;
        this.gutter = gutter;
        const pitch = isNarrow ? 44 : 32;
        const x = time => gutter + (Math.min(Math.max(time, since), until) - since) / (until - since) * (this.width - gutter - 1);
        const isSeen = one => one.to >= since && one.from <= until;
        const shown = lanes.map(lane => ({ ...lane, spans: lane.spans.filter(isSeen) })).filter(lane => lane.spans.length > 0);
        const height = AXIS + Math.max(1, shown.length) * pitch + 6;
        const focused = this.picture.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
        const pointed = this.pointed;

        const picture = shape("svg", {
            width: this.width, height, viewBox: `0 0 ${this.width} ${height}`, role: "group",
            "aria-label": `Timeline from ${timeOfDay(offsets, since, true)} to ${timeOfDay(offsets, until, true)}. ` +
                "The arrow keys move from span to span.",
        }, this.axis(x, gutter, height));
        this.spans = [];
        const band = outages.filter(isSeen);
        if (band.length > 0)
            picture.append(...band.map(one => this.span(one, "outage", x, AXIS - 4, height - AXIS)));
        shown.forEach((lane, index) => {
            const top = AXIS + index * pitch;
            const bar = isNarrow ? top + 22 : top + (pitch - BAR) / 2;
            const title = shape("text", { class: "lane", x: isNarrow ? 2 : 0, y: isNarrow ? top + 15 : bar + 13 });
            title.textContent = this.short(lane.title, isNarrow);
            const name = shape("title");
            name.textContent = lane.title;
            title.append(name);
            picture.append(
                shape("line", { class: "rail", x1: gutter, x2: this.width, y1: bar + BAR / 2, y2: bar + BAR / 2 }), title,
                ...this.row(lane, x, bar));
        });
        this.picture.replaceChildren(picture);
        this.picture.toggleAttribute("data-empty", this.spans.length === 0);

        // The tab key stops only once, at the span that had the focus, or else at the newest one.
        const entry = this.spans.find(one => one.node.dataset.key === focused) ?? this.spans[this.spans.length - 1];
        entry?.node.setAttribute("tabindex", "0");
        if (focused !== undefined && entry?.node.dataset.key === focused)
            entry.node.focus({ preventScroll: true });
        this.hide();
        this.pointAt(this.spans.find(one => one.node.dataset.key === pointed)?.node);
    }

    short(title, isNarrow) {
        const longest = isNarrow ? 40 : 20;
        const letters = [...title];
        return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : title;
    }

    axis(x, gutter, height) {
        const { since, until, offsets } = this.data;
        const room = Math.max(2, Math.floor((this.width - gutter) / 70));
        const step = STEPS.find(length => (until - since) / length <= room) ?? STEPS[STEPS.length - 1];
        const marks = shape("g", { class: "axis", "aria-hidden": "true" });
        const first = Math.ceil((since + ahead(offsets, since)) / step) * step - ahead(offsets, since);
        for (let time = first; time <= until; time += step) {
            const at = Math.round(x(time)) + 0.5;
            const label = shape("text", {
                x: at, y: 12, "text-anchor": at < gutter + 20 ? "start" : at > this.width - 20 ? "end" : "middle",
            });
            label.textContent = timeOfDay(offsets, time, true);
            marks.append(shape("line", { x1: at, x2: at, y1: AXIS - 8, y2: height - 4 }), label);
        }
        return marks;
    }

    /// A short span is drawn wider than its duration, so its neighbour begins after it.
    row(lane, x, top) {
        let edge = 0;
        return lane.spans.map(one => {
            const from = one.isInstant ? x(one.from) : Math.max(x(one.from), Math.min(edge, x(one.from) + NARROWEST));
            if (!one.isInstant)
                edge = Math.max(x(one.to), from + NARROWEST);
            return this.span(one, lane.id, x, top, BAR, from);
        });
    }

    span(one, lane, x, top, height, from = x(one.from)) {
        const lines = words(this.data.offsets, one);
        const node = shape("g", {
            class: `span ${one.kind}`, tabindex: "-1", role: "img", "aria-label": spoken(lines),
            "data-key": `${lane} ${one.from} ${one.what}`,
        });
        if (one.isInstant) {
            node.append(
                shape("rect", { class: "hit", x: from - 8, y: top - 4, width: 16, height: height + 8 }),
                shape("circle", { class: "mark", cx: from, cy: top + height / 2, r: 4.5 }));
        } else {
            const width = Math.max(x(one.to) - from, NARROWEST);
            const hit = Math.max(width, 12);
            node.append(
                shape("rect", { class: "hit", x: from - (hit - width) / 2, y: top - 4, width: hit, height: height + 8 }),
                shape("rect", { class: "bar", x: from, y: top, width, height, rx: Math.min(4, width / 2) }));
        }
        this.spans.push({ node, lines, lane, from: one.from, to: one.to });
        return node;
    }

    // MARK: Tooltip

    pointAt(node) {
        const one = this.spans?.find(span => span.node === node);
        if (!one)
            return;
        this.pointed = node.dataset.key;
        this.tooltip.replaceChildren(...one.lines.filter(line => line).map((line, index) =>
            element(index === 0 ? "strong" : "span", {}, line)));
        this.tooltip.hidden = false;
        const [box, target] = [this.container.getBoundingClientRect(), one.node.lastElementChild.getBoundingClientRect()];
        const width = this.tooltip.offsetWidth;
        const middle = target.left + target.width / 2 - box.left;
        this.tooltip.style.left = `${Math.max(0, Math.min(middle - width / 2, box.width - width))}px`;
        this.tooltip.style.top = `${target.bottom - box.top + 8}px`;
    }

    hide() {
        this.pointed = undefined;
        this.tooltip.hidden = true;
        setText(this.tooltip, "");
    }

    // MARK: Keyboard

    pressed(event) {
        const index = this.spans.findIndex(one => one.node === document.activeElement);
        if (index < 0)
            return;
        const here = this.spans[index];
        const lanes = [...new Set(this.spans.map(one => one.lane))];
        const nearest = step => {
            const lane = lanes[lanes.indexOf(here.lane) + step];
            return this.spans.filter(one => one.lane === lane)
                .sort((a, b) => Math.abs(a.from - here.from) - Math.abs(b.from - here.from))[0];
        };
        const next = {
            ArrowRight: () => this.spans[index + 1], ArrowLeft: () => this.spans[index - 1],
            ArrowDown: () => nearest(1), ArrowUp: () => nearest(-1),
            Home: () => this.spans[0], End: () => this.spans[this.spans.length - 1],
        }[event.key];
        if (event.key === "Escape")
            this.hide();
        if (event.key === "+" || event.key === "-")
            this.step(event.key === "+");
        if (!next)
            return;
        event.preventDefault();
        const target = next();
        if (!target)
            return;
        here.node.setAttribute("tabindex", "-1");
        target.node.setAttribute("tabindex", "0");
        target.node.focus();
    }
}

/// Returns the same spans as text, newest first.
export function listing({ lanes, outages, since, until, offsets }) {
    const spans = [
        ...outages, ...lanes.filter(lane => !["music"].includes(lane.id)).flatMap(lane => lane.spans),
    ].filter(one => one.to >= since && one.from <= until).sort((a, b) => b.from - a.from);
    return spans.map(one => {
        const [what, when, ...details] = words(offsets, one);
        return { key: `${one.from} ${what} ${one.kind}`, what, when, details: spoken(details), kind: one.kind };
    });
}
