/// Estimates the width of text without a font.
///
/// The widths are taken from DejaVu Sans, the widest of the common sans-serif fonts. Text that fits in DejaVu Sans also
/// fits in Helvetica or Segoe.
enum TextMetrics {
    /// The advances of U+0020…U+007E, in thousandths of the font size.
    private static let advances: [Double] = [
        318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
        636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
        1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
        603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
        500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
        635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
    ]

    /// Returns the width of `text` in pixels at a font size of `size` pixels.
    static func width(_ text: String, size: Double = 12, bold: Bool = false) -> Double {
        let thousandths = text.reduce(0) { $0 + advance(of: $1) }
        return thousandths / 1000 * size * (bold ? 1.14 : 1)
    }

    /// Returns `text`, or its beginning with an ellipsis, at most `limit` pixels wide, or nil if fewer than two letters
    /// would remain.
    static func fitted(_ text: String, into limit: Double, size: Double = 12, bold: Bool = false) -> String? {
        if width(text, size: size, bold: bold) <= limit { return text }
        let room = limit * 1000 / (size * (bold ? 1.14 : 1)) - 1000
        var kept = ""
        var used = 0.0
        for character in text {
            used += advance(of: character)
            guard used <= room else { break }
            kept.append(character)
        }
        while kept.hasSuffix(" ") { kept.removeLast() }
        return kept.count >= 2 ? kept + "…" : nil
    }

    private static func advance(of character: Character) -> Double {
        character.unicodeScalars.reduce(0) { widest, scalar in
            switch scalar.value {
            case 0x20...0x7E: max(widest, advances[Int(scalar.value) - 0x20])
            case 0x300...0x36F: widest
            case 0x2190...0x21FF, 0x2212, 0x2026: max(widest, 1000 * 0.838)
            case 0x1100...: scalar.value >= 0x2000 && scalar.value < 0x2190 ? max(widest, 500) : max(widest, 1000)
            default: max(widest, 700)
            }
        }
    }
}
