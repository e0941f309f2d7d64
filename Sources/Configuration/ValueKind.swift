import AudioSession

/// A kind of value that a key can have: how it is read, and what is said when it cannot be.
struct ValueKind<Value: Sendable>: Sendable {
    let parse: @Sendable (_ text: String) throws(BadValue) -> Value
    /// Whether any text will do, so that a comment behind a value would pass for a part of it.
    var isFreeText = false
}

extension ValueKind<Bool> {
    /// As systemd reads them.
    static var boolean: ValueKind<Bool> {
        ValueKind { (text) throws(BadValue) in
            switch text.lowercased() {
            case "yes", "y", "true", "t", "on", "1": return true
            case "no", "n", "false", "f", "off", "0": return false
            default: throw BadValue(problem: "is neither yes nor no", advice: "write yes or no")
            }
        }
    }

    /// What a first boot does.
    static var playingOrStopped: ValueKind<Bool> {
        ValueKind { (text) throws(BadValue) in
            switch text {
            case "playing": return true
            case "stopped": return false
            default:
                if let value = try? boolean.parse(text) { return value }
                throw BadValue(problem: "is neither yes nor no", advice: "write yes (playing) or no (stopped)")
            }
        }
    }
}

extension ValueKind<Duration> {
    static func time(_ range: ClosedRange<Duration>) -> ValueKind {
        let bounds = "\(TimeSpan.format(range.lowerBound)) to \(TimeSpan.format(range.upperBound))"
        return ValueKind { (text) throws(BadValue) in
            guard let span = TimeSpan.parse(text) else {
                throw BadValue(problem: "is no time", advice: "write a time from \(bounds), such as 30ms, 5s or 2min")
            }
            guard range.contains(span) else {
                // A number alone is seconds.
                let hint = Double(text) == nil ? "" : ", with its unit, such as \(text)ms"
                throw BadValue(problem: "is out of range", advice: "write a time from \(bounds)\(hint)")
            }
            return span
        }
    }
}

extension ValueKind<Duration?> {
    /// A limit: `infinity` is none.
    static func limit(_ range: ClosedRange<Duration>) -> ValueKind {
        let time = ValueKind<Duration>.time(range)
        return ValueKind { (text) throws(BadValue) in
            if text == "infinity" { return nil }
            do throws(BadValue) {
                return try time.parse(text)
            } catch {
                throw BadValue(problem: error.problem, advice: error.advice + ", or infinity")
            }
        }
    }
}

extension ValueKind<Level> {
    static var level: ValueKind<Level> {
        ValueKind { (text) throws(BadValue) in
            if let level = Level.parse(text) { return level }
            let advice = "write a level from -120dB to 0dB, such as -14dB, or mute"
            if let number = Decibels.number(text) {
                let meant = Level(decibels: number)?.text
                throw BadValue(problem: "has no unit", advice: meant.map { "write \($0)" } ?? advice)
            }
            throw BadValue(problem: Decibels.parse(text) == nil ? "is no level" : "is out of range", advice: advice)
        }
    }
}

extension ValueKind<Int> {
    static func count(_ range: ClosedRange<Int>) -> ValueKind {
        let advice = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ValueKind { (text) throws(BadValue) in
            guard let number = Int(text) else { throw BadValue(problem: "is no whole number", advice: advice) }
            guard range.contains(number) else { throw BadValue(problem: "is out of range", advice: advice) }
            return number
        }
    }
}

extension ValueKind<String> {
    /// Any text that is not longer than this many bytes of UTF-8.
    static func text(upTo limit: Int) -> ValueKind {
        ValueKind(
            parse: { (text) throws(BadValue) in
                guard text.utf8.count <= limit else {
                    throw BadValue(
                        problem: "has \(text.utf8.count) bytes", advice: "at most \(limit) are allowed there")
                }
                return text
            }, isFreeText: true)
    }
}
