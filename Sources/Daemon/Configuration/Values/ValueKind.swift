import AudioSession
import Spelling
import Time

/// A kind of value that a key can have. It parses the value or throws the error for a bad one.
struct ValueKind<Value: Sendable>: Sendable {
    /// The accepted values as described in the manual page, such as `a time from 0s to 10s`.
    let values: String
    let parse: @Sendable (_ text: String) throws(BadValue) -> Value
    /// True if any text is valid, so that a comment after a value would silently become part of it.
    var isFreeText = false
}

extension ValueKind<Bool> {
    /// A Boolean value in one of the spellings that systemd accepts.
    static var boolean: ValueKind<Bool> {
        ValueKind(values: "a boolean value") { (text) throws(BadValue) in
            switch text.lowercased() {
            case "yes", "y", "true", "t", "on", "1": return true
            case "no", "n", "false", "f", "off", "0": return false
            default: throw BadValue(problem: "is neither yes nor no", advice: "write yes or no")
            }
        }
    }

    /// A Boolean value that indicates whether a first boot plays.
    static var playingOrStopped: ValueKind<Bool> {
        ValueKind(values: "a boolean value, or one of playing (yes) and stopped (no)") { (text) throws(BadValue) in
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
        return ValueKind(values: "a time from \(bounds)") { (text) throws(BadValue) in
            guard let span = TimeSpan.parse(text) else {
                throw BadValue(
                    problem: "is not a time", advice: "write a time from \(bounds), such as 30ms, 5s or 2min")
            }
            guard range.contains(span) else {
                // A number without a unit is in seconds, but milliseconds may have been meant.
                let isMilliseconds = Double(text) != nil && TimeSpan.parse("\(text)ms").map(range.contains) ?? false
                let hint = isMilliseconds ? ", with its unit, such as \(text)ms" : ""
                throw BadValue(problem: "is out of range", advice: "write a time from \(bounds)\(hint)")
            }
            return span
        }
    }
}

extension ValueKind<Duration?> {
    /// A limit, or nil for `infinity`, which means no limit.
    static func limit(_ range: ClosedRange<Duration>) -> ValueKind {
        let time = ValueKind<Duration>.time(range)
        return ValueKind(values: time.values + ", or infinity") { (text) throws(BadValue) in
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
        ValueKind(values: "a level from -120dB to 0dB, or mute") { (text) throws(BadValue) in
            if let level = Level.parse(text) { return level }
            let advice = "write a level from -120dB to 0dB, such as -14dB, or mute"
            if let number = Decibels.number(text) {
                let suggestion = Level(decibels: number)?.text
                throw BadValue(problem: "has no unit", advice: suggestion.map { "write \($0)" } ?? advice)
            }
            throw BadValue(problem: Decibels.parse(text) == nil ? "is not a level" : "is out of range", advice: advice)
        }
    }
}

extension ValueKind<Int> {
    static func count(_ range: ClosedRange<Int>) -> ValueKind {
        let values = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let advice = "write \(values)"
        return ValueKind(values: values) { (text) throws(BadValue) in
            guard let number = Int(text) else { throw BadValue(problem: "is not a whole number", advice: advice) }
            guard range.contains(number) else { throw BadValue(problem: "is out of range", advice: advice) }
            return number
        }
    }
}

extension ValueKind<Int64?> {
    /// A size in bytes with systemd's suffixes K, M, G and T, each of which is 1024 times the previous one. It is nil
    /// for `infinity`, which means no limit.
    static func size(atLeast least: Int64) -> ValueKind {
        let values = "a size of at least \(ByteSize.format(least)), such as 500M or 4G, or infinity"
        return ValueKind(values: values) { (text) throws(BadValue) in
            if text == "infinity" { return nil }
            guard let size = ByteSize.parse(text) else {
                throw BadValue(problem: "is not a size", advice: "write \(values)")
            }
            guard size >= least else { throw BadValue(problem: "is too small", advice: "write \(values)") }
            return size
        }
    }
}

extension ValueKind<String> {
    /// Any text of at most this many bytes of UTF-8.
    static func text(upTo limit: Int) -> ValueKind {
        ValueKind(
            values: "a string of at most \(limit) bytes",
            parse: { (text) throws(BadValue) in
                guard text.utf8.count <= limit else {
                    throw BadValue(
                        problem: "is \(text.utf8.count) bytes long", advice: "at most \(limit) are allowed")
                }
                return text
            }, isFreeText: true)
    }
}

extension ValueKind<[String]> {
    /// ALSA's names of devices. Blanks separate them because they may contain commas.
    static var devices: ValueKind<[String]> {
        ValueKind(
            values: "a list of at most 8 names of at most 255 bytes each, separated by blanks",
            parse: { (text) throws(BadValue) in
                let names = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
                guard names.count <= 8 else {
                    throw BadValue(problem: "names \(names.count) devices", advice: "at most 8 are allowed")
                }
                if let long = names.first(where: { $0.utf8.count > 255 }) {
                    throw BadValue(
                        problem: "has a name of \(long.utf8.count) bytes", advice: "at most 255 are allowed")
                }
                if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
                    throw BadValue(problem: "names \(names[twice]) twice", advice: "write each device once")
                }
                return names
            }, isFreeText: true)
    }
}

extension ValueKind {
    /// One of several words, which must match exactly.
    ///
    /// - Parameters:
    ///   - word: Returns the word of a value.
    ///   - synonyms: Words that are also accepted but not advertised.
    ///   - unsupported: Words from other systems that Tacet does not support, each with the reason.
    static func choice(
        _ choices: [Value], named word: (Value) -> String, synonyms: [String: Value] = [:],
        unsupported: [String: String] = [:]
    ) -> ValueKind {
        let words = choices.map(word)
        let values = synonyms.merging(zip(words, choices)) { $1 }
        return ValueKind(values: words.count == 1 ? words[0] : "one of \(words.enumeration)") {
            (text) throws(BadValue) in
            if let value = values[text] { return value }
            throw unsupported[text].map { BadValue(problem: $0, advice: "write \(words.alternatives)") }
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
    static func choice(synonyms: [String: Value] = [:], unsupported: [String: String] = [:]) -> ValueKind {
        choice(Array(Value.allCases), named: \.rawValue, synonyms: synonyms, unsupported: unsupported)
    }
}

extension ValueKind<Policy.Options> {
    /// Words separated by blanks or commas. The word `none` means no option.
    static var options: ValueKind<Policy.Options> {
        let known = "overrideMutedMicrophoneInterruption"
        return ValueKind(values: "none or \(known)") { (text) throws(BadValue) in
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

extension ValueKind<SoundID> {
    /// The name of a sound. Only after all files have been read is it known whether the sound exists.
    static var sound: ValueKind<SoundID> {
        ValueKind(values: "the name of a sound") { (text) throws(BadValue) in
            guard SectionName.isName(text) else {
                throw BadValue(
                    problem: "is not the name of a sound", advice: "write the NAME of a [Sound NAME] section")
            }
            return SoundID(text)
        }
    }
}

extension ValueKind<WrittenCommand> {
    static var command: ValueKind<WrittenCommand> {
        let words = Command.plain.map(\.description).joined(separator: ", ")
        let values = """
            \(words), announce with the name of a sound, seek with a position or a step such as +10s, or volume with a \
            step such as +3dB, a percentage or mute
            """
        return ValueKind(values: values) { (text) throws(BadValue) in
            let command: WrittenCommand
            do throws(CommandError) {
                command = try WrittenCommand.parse(text, minus: .step, options: [.priority, .expire])
            } catch {
                let isWhole = error.text == text
                throw BadValue(
                    problem: isWhole ? error.problem : "is not valid, because ‘\(error.text)’ \(error.problem)",
                    advice: error.advice)
            }
            if case .command(.announce(let announcement)) = command {
                guard SectionName.isName(announcement.sound.rawValue) else {
                    throw BadValue(
                        problem: "does not name a sound",
                        advice: "write announce with the NAME of a [Sound NAME] section, such as announce gong")
                }
            }
            return command
        }
    }
}

/// The reason why a value is rejected. `problem` continues a sentence that starts with `Key=value`.
struct BadValue: Error {
    /// The problem, such as `is out of range`.
    let problem: String
    /// Advice on how to write a correct value.
    let advice: String
    /// What is shown of the value, or nil to show all of it.
    var shown: String?
}
