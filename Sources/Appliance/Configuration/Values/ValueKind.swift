import AudioSession
import Spelling

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

extension ValueKind {
    /// One of some words, which are matched exactly.
    ///
    /// - Parameters:
    ///   - synonyms: words that are accepted besides and not advertised.
    ///   - refused: words of others' that are well formed here and yet have no place, each with the reason.
    static func choice(
        _ choices: KeyValuePairs<String, Value>, synonyms: [String: Value] = [:], refused: [String: String] = [:]
    ) -> ValueKind {
        let words = choices.map(\.key)
        let values = synonyms.merging(choices.map { ($0.key, $0.value) }) { $1 }
        return ValueKind { (text) throws(BadValue) in
            if let value = values[text] { return value }
            throw refused[text].map { BadValue(problem: $0, advice: "write \(words.alternatives)") }
                ?? .unknown(text, among: words + synonyms.keys.sorted(), advertised: words)
        }
    }
}

extension BadValue {
    static func unknown(_ text: String, among words: [String], advertised: [String]) -> BadValue {
        let suggestion = Spelling.suggestion(for: text, in: words).map { "\($0) " } ?? ""
        let choices = advertised.count == 1 ? "it can only be" : "it can be"
        return BadValue(problem: "is unknown", advice: "\(suggestion)\(choices) \(advertised.alternatives)")
    }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the enumeration's raw values.
    static func choice(refused: [String: String] = [:]) -> ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return ValueKind { (text) throws(BadValue) in
            if let value = Value(rawValue: text) { return value }
            throw refused[text].map { BadValue(problem: $0, advice: "write \(words.alternatives)") }
                ?? .unknown(text, among: words, advertised: words)
        }
    }
}

extension ValueKind<Policy.Options> {
    /// Words with spaces between them; `none` stands for no option.
    static var options: ValueKind<Policy.Options> {
        ValueKind { (text) throws(BadValue) in
            let known = "overrideMutedMicrophoneInterruption"
            if text == "none" { return [] }
            var options: Policy.Options = []
            for word in text.split(whereSeparator: { " \t,".contains($0) }).map(String.init) {
                guard word == known else {
                    throw AppleNames.options[word].map { BadValue(problem: $0, advice: "write none or \(known)") }
                        ?? .unknown(word, among: [known, "none"], advertised: ["none", known])
                }
                options.insert(.overrideMutedMicrophoneInterruption)
            }
            return options
        }
    }
}

extension ValueKind<Button.Command> {
    static var command: ValueKind<Button.Command> {
        ValueKind { (text) throws(BadValue) in
            if text == "toggle" { return .playPause }
            if let plain = Button.Command.plain.first(where: { $0.description == text }) { return plain }
            guard text.hasPrefix("volume") else {
                let words = Button.Command.plain.map(\.description)
                throw .unknown(text, among: words + ["toggle"], advertised: words + ["volume ±3dB"])
            }
            let amount = text.dropFirst("volume".count).trimmed
            guard let decibels = Decibels.parse(amount), amount.hasPrefix("+") || amount.hasPrefix("-"), decibels != 0,
                (-60...60).contains(decibels)
            else {
                throw BadValue(
                    problem: "does not say by how much",
                    advice: "write a step of at most 60dB with its sign, such as volume +3dB or volume -3dB")
            }
            return .changeVolume(decibels: decibels)
        }
    }
}

/// Why a value is refused; reads on from `Key=value`.
struct BadValue: Error {
    /// `is out of range`
    let problem: String
    /// What would be right.
    let advice: String
}
