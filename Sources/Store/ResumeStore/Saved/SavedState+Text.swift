import Files
import Time

/// The saved state as text with one fact per line, so that `cat` shows it.
extension SavedState {
    /// The text of the state, which ends with a newline.
    var facts: [UInt8] {
        var lines = [
            "saved-at \(savedAt.wholeNanoseconds)",
            "intent \(intent)",
            "position \(position.wholeNanoseconds)",
            "continued-from \(continuedFrom.wholeNanoseconds)",
            "was-playing \(wasPlaying ? "yes" : "no")",
            "volume \(volume)",
            "shuffle-seed \(shuffleSeed)",
        ]
        // Older versions cannot read these facts, so they are written only if needed.
        if let repeats { lines.append("repeat \(repeats.configured.escapingLines) \(repeats.chosen.escapingLines)") }
        if let shuffle { lines.append("shuffle \(shuffle.configured.escapingLines) \(shuffle.chosen.escapingLines)") }
        if let track { lines.append("track \(trackNumber) \(track.escapingLines)") }
        if let choice {
            lines.append("choice \(choice.then) \(choice.name.escapingLines)")
            let left = choice.left
            lines.append(
                "left \(left.trackNumber) \(left.position.wholeNanoseconds) \(left.track?.escapingLines ?? "")")
        }
        if let episode {
            let advice = episode.recommendsResuming ? "resume" : "stay"
            lines.append("episode \(episode.reason) \(advice) \(episode.lastCommand ?? "-")")
            if let word = episode.recordingWord { lines.append("episode-recording \(word)") }
        }
        for held in held {
            let stuck = held.isStuck ? "stuck" : "credible"
            lines.append("held \(held.standing) \(held.age.wholeNanoseconds) \(stuck) \(held.signal.escapingLines)")
        }
        for input in inputs {
            let (intent, held) = (input.intent, input.isHeldByUser ? "held" : "free")
            let sounds = input.isPassedOver ? "passed" : input.isSounding ? "sounding" : "silent"
            lines.append("input \(intent) \(held) \(sounds) \(input.lastCommand ?? "-") \(input.name.escapingLines)")
        }
        for player in players {
            lines.append("player \(player.pause) \(player.lastCommand ?? "-") \(player.name.escapingLines)")
        }
        if let wantsRecording { lines.append("recording \(wantsRecording ? "wanted" : "off")") }
        if let quiet { lines.append("quiet \(quiet.age.wholeNanoseconds) \(quiet.pauseCause?.escapingLines ?? "-")") }
        if let run {
            lines.append(
                "run \(run.isStopping ? "stopping" : "running") \(run.time.wholeNanoseconds) \(run.boot.escapingLines)")
        }
        return lines.flatMap { Array($0.utf8) + [0x0a] }
    }

    /// Reads the text of `facts`.
    init(facts: ArraySlice<UInt8>) throws(StateError) {
        // The bytes are split, not the characters, because Swift treats CR LF, or a space and a combining accent, as
        // one character.
        var lines = facts.split(separator: 0x0a, omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true else { throw .damaged("its last line is truncated") }
        self.init(
            savedAt: .zero, intent: "", track: nil, position: .zero, volume: 0, shuffleSeed: 0, held: [], episode: nil)
        for line in lines { try read(line) }
        // The version that saved the state did not record this fact.
        if !lines.contains(where: { $0.starts(with: "was-playing ".utf8) }) {
            wasPlaying = intent == "playing" && episode == nil
        }
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(StateError) {
        guard let text = String(validating: line, as: UTF8.self) else { throw .damaged("a line is not UTF-8") }
        let words = line.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else { throw .damaged("unknown or malformed line ‘\(text)’") }
        let value = words[1]
        switch String(decoding: words[0], as: UTF8.self) {
        case "saved-at": savedAt = try duration(value)
        case "intent": intent = String(decoding: value, as: UTF8.self)
        case "position": position = max(.zero, try duration(value))
        case "continued-from": continuedFrom = max(.zero, try duration(value))
        case "was-playing": wasPlaying = value.elementsEqual("yes".utf8)
        case "volume": volume = try number(value)
        case "shuffle-seed": shuffleSeed = try number(value)
        case "repeat": repeats = try mode(value, text)
        case "shuffle": shuffle = try mode(value, text)
        case "track":
            let fields = try fields(value, 2, text)
            trackNumber = min(max(0, try number(fields[0])), SavedState.mostTracks)
            track = String(decoding: fields[1], as: UTF8.self).unescapingLines
        case "choice":
            let fields = try fields(value, 2, text).map { String(decoding: $0, as: UTF8.self) }
            choice = ChosenList(
                name: fields[1].unescapingLines, then: fields[0],
                left: ChosenList.Left(track: nil, trackNumber: 0, position: .zero))
        case "left":
            let fields = try fields(value, 3, text)
            let track = String(decoding: fields[2], as: UTF8.self).unescapingLines
            let left = ChosenList.Left(
                track: track.isEmpty ? nil : track,
                trackNumber: min(max(0, try number(fields[0])), SavedState.mostTracks),
                position: max(.zero, try duration(fields[1])))
            choice?.left = left
        case "episode":
            let fields = try fields(value, 3, text).map { String(decoding: $0, as: UTF8.self) }
            episode = Episode(
                reason: fields[0], lastCommand: fields[2] == "-" ? nil : fields[2],
                recommendsResuming: fields[1] == "resume")
        case "episode-recording": episode?.recordingWord = String(decoding: value, as: UTF8.self)
        case "recording": wantsRecording = value.elementsEqual("wanted".utf8)
        case "held":
            let fields = try fields(value, 4, text)
            held.append(
                Held(
                    signal: String(decoding: fields[3], as: UTF8.self).unescapingLines,
                    standing: String(decoding: fields[0], as: UTF8.self),
                    age: min(max(try duration(fields[1]), .zero), SavedState.longest),
                    isStuck: fields[2].elementsEqual("stuck".utf8)))
        case "input":
            let fields = try fields(value, 5, text).map { String(decoding: $0, as: UTF8.self) }
            inputs.append(
                Input(
                    name: fields[4].unescapingLines, intent: fields[0], isHeldByUser: fields[1] == "held",
                    isSounding: fields[2] != "silent", isPassedOver: fields[2] == "passed",
                    lastCommand: fields[3] == "-" ? nil : fields[3]))
        case "player":
            let fields = try fields(value, 3, text).map { String(decoding: $0, as: UTF8.self) }
            players.append(
                Player(
                    name: fields[2].unescapingLines, pause: fields[0], lastCommand: fields[1] == "-" ? nil : fields[1]))
        case "quiet":
            let fields = try fields(value, 2, text)
            let cause = String(decoding: fields[1], as: UTF8.self).unescapingLines
            quiet = Quiet(
                age: min(max(try duration(fields[0]), .zero), SavedState.longest),
                pauseCause: cause == "-" ? nil : cause)
        case "run":
            let fields = try fields(value, 3, text)
            run = Run(
                boot: String(decoding: fields[2], as: UTF8.self).unescapingLines,
                time: max(.zero, try duration(fields[1])), isStopping: fields[0].elementsEqual("stopping".utf8))
        default: throw .damaged("unknown or malformed line ‘\(text)’")
        }
    }

    private func mode(_ value: ArraySlice<UInt8>, _ line: String) throws(StateError) -> Mode {
        let fields = try fields(value, 2, line).map { String(decoding: $0, as: UTF8.self).unescapingLines }
        return Mode(configured: fields[0], chosen: fields[1])
    }

    /// Splits a value at its first spaces. The last field keeps any further spaces.
    private func fields(
        _ value: ArraySlice<UInt8>, _ count: Int, _ line: String
    ) throws(StateError) -> [ArraySlice<UInt8>] {
        let fields = value.split(separator: 0x20, maxSplits: count - 1, omittingEmptySubsequences: false)
        guard fields.count == count else { throw .damaged("unknown or malformed line ‘\(line)’") }
        return fields
    }

    private func number<T: LosslessStringConvertible>(_ bytes: ArraySlice<UInt8>) throws(StateError) -> T {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let number = T(text) else { throw .damaged("‘\(text)’ is not a number") }
        return number
    }

    private func duration(_ text: ArraySlice<UInt8>) throws(StateError) -> Duration {
        .nanoseconds(try number(text) as Int64)
    }

    /// The maximum age of a fact, which is a year. A higher age results from a wrong clock, and is reduced to this
    /// maximum.
    public static let longest = Duration.seconds(366 * 86_400)

    /// The highest track number that is accepted. It is larger than any list needs, although a shuffled list gets new
    /// numbers in each round.
    private static let mostTracks = 1 << 40
}

extension String {
    /// Escapes line feeds, which a path can contain but a line of the state cannot.
    fileprivate var escapingLines: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    fileprivate var unescapingLines: String {
        var result = UnicodeScalarView()
        var isEscaped = false
        for scalar in unicodeScalars {
            if isEscaped {
                result.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

/// Version 1, which is a text file that is replaced as a whole, and whose last line is a checksum.
extension SavedState {
    private static let firstHeader = Array("tacet-state 1\n".utf8)

    static func isOfFirstVersion(_ file: [UInt8]) -> Bool { file.starts(with: firstHeader) }

    init(firstVersion file: [UInt8]) throws(StateError) {
        guard file.last == 0x0a, let end = file.dropLast().lastIndex(of: 0x0a),
            let last = String(validating: file[(end + 1)...].dropLast(), as: UTF8.self), last.hasPrefix("checksum ")
        else { throw .damaged("it is truncated: the last line is not a checksum") }
        guard last == "checksum \(Checksum.text(of: file[...end]))" else {
            throw .damaged("the checksum does not match")
        }
        try self.init(facts: file[SavedState.firstHeader.count...end])
    }
}
