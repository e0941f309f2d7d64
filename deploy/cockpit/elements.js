// Small helpers for the document. Data becomes text nodes and attributes, and never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false)
            continue;
        node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.filter(child => child !== undefined && child !== null));
    return node;
}

/// Creates an element: element("li", { class: "row" }, "text", node)
export function element(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/// Creates an element of a picture.
export function shape(tag, attributes = {}, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const byId = id => document.getElementById(id);

/// Changes the text of a node only if it differs, so that screen readers do not repeat it and a selection stays.
export function setText(node, text) {
    if (node.textContent !== text)
        node.textContent = text;
}

export function setAttribute(node, name, value) {
    if (value === undefined || value === null || value === false)
        node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value))
        node.setAttribute(name, String(value));
}

/// The number of rows that a long list shows before it is unfolded.
const SHORT = 12;

/// A list that keeps the nodes of its items, and therefore the focus, when the items change. A long list is folded, but an
/// active item is never hidden.
export class Rows {
    /// @param list the list's node
    /// @param noun the plural of the items for the button that unfolds the list, such as "signals"
    /// @param create creates the node of an item
    /// @param update fills the node from an item, and returns true if the item is active
    constructor(list, noun, create, update) {
        Object.assign(this, { list, noun, create, update });
        this.nodes = new Map();
        this.more = element("button", { type: "button", class: "button quiet more", hidden: true });
        this.more.addEventListener("click", () => {
            this.isOpen = !this.isOpen;
            this.fold();
        });
        list.after(this.more);
    }

    /// @param items the items, each with a `key`
    show(items) {
        const keys = new Set(items.map(item => item.key));
        for (const [key, node] of this.nodes) {
            if (!keys.has(key)) {
                node.remove();
                this.nodes.delete(key);
            }
        }
        let place = this.list.firstElementChild;
        for (const item of items) {
            let node = this.nodes.get(item.key);
            if (!node) {
                node = this.create(item);
                this.nodes.set(item.key, node);
            }
            if (node === place)
                place = place.nextElementSibling;
            else
                this.list.insertBefore(node, place);
            node.toggleAttribute("data-active", Boolean(this.update(node, item)));
        }
        this.count = items.length;
        this.fold();
    }

    fold() {
        const isLong = this.count > SHORT;
        this.list.classList.toggle("folded", isLong && !this.isOpen);
        this.more.hidden = !isLong;
        setText(this.more, this.isOpen ? `Show fewer ${this.noun}` : `Show all ${this.count} ${this.noun}`);
        setAttribute(this.more, "aria-expanded", this.isOpen ? "true" : "false");
    }
}

/// Returns a duration in µs as Tacet writes it: 2min 5s.
export function span(microseconds) {
    const seconds = microseconds / 1e6;
    if (seconds < 1)
        return `${Math.round(seconds * 1000)} ms`;
    if (seconds < 10)
        return `${seconds.toFixed(1)} s`;
    let rest = Math.round(seconds);
    const parts = [];
    for (const [name, length] of [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]]) {
        const count = Math.floor(rest / length);
        rest -= count * length;
        if (count > 0 && parts.length < 2)
            parts.push(`${count}${name}`);
    }
    return parts.join(" ");
}

/// Returns a position in seconds as text: 2:31.
export function position(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    const tail = String(whole % 60).padStart(2, "0");
    const minutes = Math.floor(whole / 60);
    return minutes < 60 ? `${minutes}:${tail}`
        : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${tail}`;
}

/// Returns a level as text: −6 dB
export const decibels = level => `${String(Math.round(level * 10) / 10).replace("-", "−")} dB`;

/// Returns a sentence from Tacet as the headline of a narrow page, without the process that gave a command, and with the
/// names of files instead of their paths.
export function headline(sentence) {
    return sentence.replace(/ \((?:pid|uid) \d+(?:, uid \d+)?\)|, process \d+/g, "").replace(/\bprocess \d+/g, "a program")
        .replace(/(^|[\s(‘“"])(?:\/[^\s/’”"]+)+\/([^\s/’”"]+)/g, "$1$2");
}
