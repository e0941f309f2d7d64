import Glibc

/// Figures in fixed columns.
enum Table {
    /// - Parameter what: The programs that are compared, and the output on which they play.
    static func head(_ what: String) {
        print("\n\(what): median (least … 99th percentile)")
        line("", "Tacet", "MPD", "Tacet/MPD", "goal")
    }

    static func heading(_ text: String) { print(text) }

    /// - Parameters:
    ///   - digits: The number of digits after the decimal point.
    ///   - goal: The goal in words.
    static func row(_ what: String, _ tacet: Sample?, _ mpd: Sample?, digits: Int = 1, goal: String = "") {
        let ratio = tacet.flatMap { tacet in mpd.map { tacet.median / $0.median } }
        line(
            "  " + what, text(tacet, digits), text(mpd, digits),
            ratio.map { $0.isFinite ? decimals($0, abs($0) < 0.1 ? 3 : 2) : "–" } ?? "–", goal)
    }

    static func note(_ what: String, _ text: String) { print(padded("  " + what, 40) + text) }

    private static func text(_ sample: Sample?, _ digits: Int) -> String {
        guard let sample, sample.count > 0 else { return "–" }
        guard sample.count > 1 else { return decimals(sample.median, digits) }
        return
            "\(decimals(sample.median, digits)) (\(decimals(sample.least, digits)) … \(decimals(sample.p99, digits)))"
    }

    private static func line(_ what: String, _ tacet: String, _ mpd: String, _ ratio: String, _ goal: String) {
        let columns = [padded(what, 40), padded(tacet, 25), padded(mpd, 27), padded(ratio, 11), goal]
        print(columns.joined().trimmed)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    static func decimals(_ value: Double, _ digits: Int) -> String {
        guard digits > 0 else { return "\(Int(value.rounded()))" }
        let scaled = Int((abs(value) * pow(10, Double(digits))).rounded())
        let text = String(scaled)
        let whole = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return (value < 0 && scaled != 0 ? "-" : "") + whole.dropLast(digits) + "." + whole.suffix(digits)
    }
}

extension String {
    /// The text without trailing spaces.
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
