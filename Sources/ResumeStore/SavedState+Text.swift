/// The saved state as text, a fact a line, so that `cat` shows it. The last line proves that it is whole.
extension SavedState {
    static let version = 1

    /// Its text; ends with a newline.
    public var text: String {
        var lines = [
            "tacet-state \(SavedState.version)",
            "saved-at \(savedAt.nanoseconds)",
            "intent \(intent)",
            "position \(position.nanoseconds)",
            "volume \(volume)",
            "shuffle-seed \(shuffleSeed)",
        ]
        if let track { lines.append("track \(trackNumber) \(track.escapingLines)") }
        if let episode {
            let advice = episode.recommendsResuming ? "resume" : "stay"
            lines.append("episode \(episode.reason) \(advice) \(episode.lastWord ?? "-")")
        }
        for held in held {
            let stuck = held.isStuck ? "stuck" : "credible"
            lines.append("held \(held.standing) \(held.age.nanoseconds) \(stuck) \(held.signal)")
        }
        let body = lines.map { $0 + "\n" }.joined()
        return body + "checksum \(Checksum.fnv1a(body.utf8))\n"
    }

    /// Reads what `text` wrote.
    public init(text: String) throws(StateError) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast() == "", let last = lines.popLast(), last.hasPrefix("checksum ") else {
            throw .damaged("it is cut short: the last line is no checksum")
        }
        let body = lines.map { $0 + "\n" }.joined()
        guard last == "checksum \(Checksum.fnv1a(body.utf8))" else {
            throw .damaged("the checksum does not match")
        }
        try self.init(lines: lines)
    }

    private init(lines: [Substring]) throws(StateError) {
        guard let header = lines.first, header.hasPrefix("tacet-state ") else { throw .damaged("it has no header") }
        guard header == "tacet-state \(SavedState.version)" else { throw .unknownVersion(String(header.dropFirst(12))) }
        self.init(
            savedAt: .zero, intent: "", track: nil, position: .zero, volume: 0, shuffleSeed: 0, held: [], episode: nil)
        for line in lines.dropFirst() { try read(line) }
    }

    private mutating func read(_ line: Substring) throws(StateError) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { throw .damaged("a line says ‘\(line)’") }
        let value = words[1]
        let fields = value.split(separator: " ")
        switch words[0] {
        case "saved-at": savedAt = try duration(value)
        case "intent": intent = String(value)
        case "position": position = try duration(value)
        case "volume": volume = try number(value)
        case "shuffle-seed": shuffleSeed = try number(value)
        case "track" where fields.count >= 2:
            trackNumber = try number(fields[0])
            track = String(value.dropFirst(fields[0].count + 1)).unescapingLines
        case "episode" where fields.count == 3:
            episode = Episode(
                reason: String(fields[0]), lastWord: fields[2] == "-" ? nil : String(fields[2]),
                recommendsResuming: fields[1] == "resume")
        case "held" where fields.count == 4:
            held.append(
                Held(
                    signal: String(fields[3]), standing: String(fields[0]),
                    age: min(max(try duration(fields[1]), .zero), SavedState.longest),
                    isStuck: fields[2] == "stuck"))
        default: throw .damaged("a line says ‘\(line)’")
        }
    }

    private func number<T: LosslessStringConvertible>(_ text: Substring) throws(StateError) -> T {
        guard let number = T(String(text)) else { throw .damaged("‘\(text)’ is no number") }
        return number
    }

    private func duration(_ text: Substring) throws(StateError) -> Duration {
        .nanoseconds(try number(text) as Int64)
    }

    /// How long something can have been so, for all that anybody cares: more is a clock's fault.
    public static let longest = Duration.seconds(366 * 86_400)
}

enum Checksum {
    /// FNV-1a, 64 bits: tells a damaged text from a whole one.
    static func fnv1a(_ bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        Int64(clamping: Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000))
    }
}

extension String {
    /// A path may contain a line's end; a line of the state may not.
    fileprivate var escapingLines: String {
        reduce(into: "") { $0 += $1 == "\\" ? "\\\\" : $1 == "\n" ? "\\n" : String($1) }
    }

    fileprivate var unescapingLines: String {
        var result = ""
        var escaped = false
        for character in self {
            if escaped {
                result.append(character == "n" ? "\n" : character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}
