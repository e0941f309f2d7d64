import AudioSession
import Spelling

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
