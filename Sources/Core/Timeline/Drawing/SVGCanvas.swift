/// Writes SVG elements. Coordinates are in pixels, with y downwards.
struct SVGCanvas {
    /// The style in which a shape is painted.
    struct Paint {
        var fill = "none"
        var stroke: String?
        var width = 1.0
        var dash: String?
        var opacity = 1.0
    }

    enum Anchor: String {
        case start, middle, end
    }

    /// Everything drawn so far, one element per line.
    private(set) var markup = ""

    mutating func rectangle(
        x: ClosedRange<Double>, y: ClosedRange<Double>, radius: Double = 0, _ paint: Paint, tooltip: String? = nil
    ) {
        var attributes = " x=\"\(number(x.lowerBound))\" y=\"\(number(y.lowerBound))\""
        attributes += " width=\"\(number(x.upperBound - x.lowerBound))\""
        attributes += " height=\"\(number(y.upperBound - y.lowerBound))\""
        if radius > 0 { attributes += " rx=\"\(number(radius))\"" }
        element("rect", attributes + text(of: paint), title: tooltip)
    }

    mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, _ paint: Paint) {
        var attributes = " x1=\"\(number(x1))\" y1=\"\(number(y1))\""
        attributes += " x2=\"\(number(x2))\" y2=\"\(number(y2))\""
        element("line", attributes + text(of: paint))
    }

    /// Draws an open or closed line through `points`. With fewer than two points, it draws nothing.
    mutating func path(_ points: [Point], closed: Bool = false, _ paint: Paint, tooltip: String? = nil) {
        guard points.count > 1 else { return }
        let steps = points.map { "\(number($0.x)) \(number($0.y))" }
        let attributes = " d=\"M\(steps.joined(separator: "L"))\(closed ? "Z" : "")\""
        element("path", attributes + text(of: paint), title: tooltip)
    }

    mutating func circle(at centre: Point, radius: Double, _ paint: Paint) {
        let attributes = " cx=\"\(number(centre.x))\" cy=\"\(number(centre.y))\" r=\"\(number(radius))\""
        element("circle", attributes + text(of: paint))
    }

    /// Draws one line of text on the baseline `y`. Text wider than `limit` is truncated, and a tooltip contains the
    /// full text. A halo keeps the text legible on top of lines.
    mutating func text(
        _ string: String, x: Double, y: Double, size: Double = 12, bold: Bool = false, fill: String = Palette.ink,
        anchor: Anchor = .start, limit: Double = .infinity, halo: Bool = false, tooltip: String? = nil
    ) {
        let shown = TextMetrics.fitted(string, into: limit, size: size, bold: bold) ?? "…"
        guard !shown.isEmpty else { return }
        var attributes = " x=\"\(number(x))\" y=\"\(number(y))\" fill=\"\(fill)\""
        if size != 12 { attributes += " font-size=\"\(number(size))\"" }
        if bold { attributes += " font-weight=\"bold\"" }
        if anchor != .start { attributes += " text-anchor=\"\(anchor.rawValue)\"" }
        if halo {
            attributes += " stroke=\"\(Palette.paper)\" stroke-width=\"3\" stroke-linejoin=\"round\""
            attributes += " paint-order=\"stroke\""
        }
        element("text", attributes, title: tooltip ?? (shown == string ? nil : string), content: shown)
    }

    /// Adds markup without escaping it.
    mutating func raw(_ line: String) {
        markup += line + "\n"
    }

    private mutating func element(
        _ name: String, _ attributes: String, title: String? = nil, content: String = ""
    ) {
        let inside = (title.map { "<title>\(XMLText.escaped($0))</title>" } ?? "") + XMLText.escaped(content)
        raw(inside.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(inside)</\(name)>")
    }

    private func text(of paint: Paint) -> String {
        var attributes = " fill=\"\(paint.fill)\""
        if let stroke = paint.stroke {
            attributes += " stroke=\"\(stroke)\""
            if paint.width != 1 { attributes += " stroke-width=\"\(number(paint.width))\"" }
            if let dash = paint.dash { attributes += " stroke-dasharray=\"\(dash)\"" }
        }
        if paint.opacity != 1 { attributes += " opacity=\"\(number(paint.opacity))\"" }
        return attributes
    }

    private func number(_ value: Double) -> String {
        NumberText.decimal(value, places: 1)
    }
}

/// A point in the picture, in pixels.
struct Point: Equatable {
    var x: Double
    var y: Double
}

/// Text for XML 1.0.
enum XMLText {
    /// Returns `text` with markup escaped, with line breaks and tabs replaced by spaces, and with characters that XML
    /// forbids replaced by U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
