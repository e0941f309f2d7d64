import AudioSession
import Configuration
import Spelling
import Systemd
import Time
import Vocabulary

/// The supervisor's state as it reports it on the bus, for people and programs. It has no side effects.
struct DaemonStatus {
    struct Signal {
        let name: String
        let effect: String
        let isActive: Bool
        /// One of the states of `Session1`: `deasserted`, `inForce`, `suppressed` or `dropped`.
        let state: String
        /// The faults of the signal's line, such as `lost`, `wire`, `stuck` or `chatter`.
        let faults: [String]
        /// The time in milliseconds between two readings of its line, or nil if the line is not polled.
        let pollInterval: Int?

        /// A description for people.
        var description: String {
            let counts = "counts as \(state == "deasserted" ? "released" : "asserted")"
            if faults.contains("lost") { return "LOST, \(counts)" }
            if faults.contains("wire") { return "WIRE BROKEN, \(counts)" }
            let standing =
                switch state {
                case "suppressed": "asserted, suppressed as an alert"
                case "dropped": "asserted, dropped as stuck"
                default: isActive ? "ACTIVE" : "–"
                }
            let faults = faults.filter { $0 != "stuck" || state != "dropped" }
            let poll = pollInterval.map { ["polled every \($0) ms"] } ?? []
            return ([standing] + faults.map { $0 == "chatter" ? "chattering" : $0 } + poll).joined(separator: ", ")
        }
    }

    let why: String
    let playbackStatus: String
    let isInterrupted: Bool
    let gain: Double?
    /// The volume as a factor.
    let volume: Double?
    let level: Level?
    /// The selected source, which is the name of an input or `library`.
    let source: String
    /// The players that Tacet keeps paused.
    let players: [String]
    let title: String?
    /// The position in seconds.
    let position: Double?
    let length: Double?
    let signals: [Signal]
    /// The sound that is playing, or nil if there is none.
    let sound: String?
    /// The queued announcements, oldest first.
    let waiting: [String]
    /// The name and meaning of each output, and its state.
    let outputs: [(name: String, meaning: String, isAsserted: Bool)]
    /// True if a recording is in progress.
    let isRecording: Bool
    /// The file that is being written, or nil if there is none.
    let recordingFile: String?
    /// The time recorded since the recording began, in seconds.
    let recorded: Double
    let health: [String]
    /// The number of edges that were lost since the start or the last reload.
    let repairedEdges: Int
    /// The name of the device, or nil during a reload.
    let device: String?
    let isDeviceAvailable: Bool
    /// One of `preferred`, `unplugged` and `fallback`, or nil during a reload.
    let route: String?
    /// The time in µs between what is being played and the first of the device's queued frames that can be replaced, or
    /// nil if they cannot be replaced.
    let rewindMargin: Int64?
    /// The time at which the state was last saved, in µs since 1970, or nil if it has not been saved since the start.
    let lastCheckpoint: Int64?
    private let now: Int64

    /// - Parameter now: the time in µs since 1970.
    init(session: [String: BusValue], player: [String: BusValue], now: Int64) {
        let scene = session[.scene]?.members ?? [:]
        let metadata = player[.metadata]?.members ?? [:]
        why = session[.why]?.text ?? ""
        playbackStatus = player[.playbackStatus]?.text ?? ""
        isInterrupted = session[.interrupted] == .bool(true)
        gain = session[.gain]?.number
        volume = player[.volume]?.number
        level = scene[TraceKey.volume.rawValue]?.number.flatMap { Level(decibels: $0) }
        source = scene[TraceKey.source.rawValue]?.text ?? Source.libraryName
        players = scene[TraceKey.players.rawValue]?.elements.compactMap(\.text) ?? []
        title = metadata[TrackKey.title.rawValue]?.text
        position = player[.position]?.number.map { $0 / 1e6 }
        length = metadata[TrackKey.length.rawValue]?.number.map { $0 / 1e6 }
        sound = scene[TraceKey.sound.rawValue]?.text
        waiting = scene[TraceKey.waiting.rawValue]?.elements.compactMap(\.text) ?? []
        outputs = (session[.outputs]?.elements ?? []).compactMap { output in
            guard case .structure(let members) = output, members.count == 3, let name = members[0].text,
                let meaning = members[1].text
            else { return nil }
            return (name, meaning, members[2] == .bool(true))
        }
        isRecording = session[.recording] == .bool(true)
        recordingFile = session[.recordingFile]?.text.flatMap { $0.isEmpty ? nil : $0 }
        recorded = scene[TraceKey.recorded.rawValue]?.number ?? 0
        repairedEdges = Int(session[.repairedEdges]?.number ?? 0)
        health = session[.health]?.elements.compactMap(\.text) ?? []
        device = session[.device]?.text.flatMap { $0.isEmpty ? nil : $0 }
        route = session[.route]?.text.flatMap { $0.isEmpty ? nil : $0 }
        isDeviceAvailable = session[.deviceAvailable] == .bool(true)
        let margin = session[.rewindMargin]?.number ?? 0
        rewindMargin = margin > 0 ? Int64(margin) : nil
        let saved = session[.lastCheckpoint]?.number ?? 0
        lastCheckpoint = saved > 0 ? Int64(saved) : nil
        self.now = now
        let states = (session[.signalStates]?.elements ?? []).reduce(into: [String: String]()) { states, signal in
            guard case .structure(let members) = signal, members.count == 2, let name = members[0].text else { return }
            states[name] = members[1].text
        }
        let faults = (scene[TraceKey.faults.rawValue]?.elements ?? []).compactMap(\.text).compactMap(Fault.init)
        let intervals = LineListing.intervals(session[.polledLines])
        signals = (session[.signals]?.elements ?? []).compactMap { signal in
            guard case .structure(let members) = signal, members.count == 3, let name = members[0].text,
                let effect = members[1].text
            else { return nil }
            return Signal(
                name: name, effect: effect, isActive: members[2] == .bool(true), state: states[name] ?? "",
                faults: faults.filter { $0.signal?.rawValue == name }.map(\.kind.rawValue),
                pollInterval: intervals.first { $0.title == "signal \(name)" }?.interval)
        }
    }

    /// The state for people.
    var lines: [String] {
        let width = signals.map(\.name.count).max() ?? 0
        let rows = signals.map { signal in
            "  " + signal.name.padded(to: width) + "  " + signal.effect.padded(to: 15) + "  "
                + signal.description
        }
        let track = title.map { "\($0), \(time(position))" + (length.map { " of \(time($0))" } ?? "") }
        let facts = [
            ("Source", source == Source.libraryName ? nil : source), ("Track", track),
            ("Players", players.isEmpty ? nil : "\(players.joined(separator: ", ")) kept paused"),
            ("Volume", level?.text), ("Session", isInterrupted ? "interrupted" : "active"),
            ("Sound", soundText), ("Outputs", outputText),
            ("Device", deviceText), ("Recorded", recordingText),
            ("Saved", savedAgo), ("Edges", repairedEdges == 0 ? nil : "\(repairedEdges) lost and repaired"),
        ].compactMap { name, value in value.map { name.padded(to: 9) + $0 } }
        return
            [why, ""] + facts + ["Signals"] + rows
            + ["Health   " + (health.isEmpty ? "nothing is wrong" : health.joined(separator: "; "))]
    }

    /// The device and its route, such as `hw:1, the fallback`, or nil if it is unknown.
    private var deviceText: String? {
        guard let device else { return nil }
        if !isDeviceAvailable { return "\(device), not available" }
        var words = device
        switch route {
        case "fallback": words += ", the fallback"
        case "unplugged": words += ", unplugged"
        default: break
        }
        guard let rewindMargin else { return words }
        return words + ", replaces queued sound up to \((rewindMargin + 500) / 1000) ms before it is played"
    }

    /// The recorded time and file, such as `1:03 so far, to /srv/recordings/….flac`, or nil if nothing is or was
    /// recorded.
    private var recordingText: String? {
        guard isRecording || recordingFile != nil || recorded > 0 else { return nil }
        let file = recordingFile.map { ", to \($0)" } ?? ""
        return "\(time(recorded)) so far\(isRecording ? "" : ", not at present")\(file)"
    }

    /// The sounds, such as `gong; next-stop queued`, or nil if there are none.
    private var soundText: String? {
        let waits = waiting.isEmpty ? nil : "\(waiting.joined(separator: ", ")) queued"
        let parts = [sound, waits].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The outputs, such as `amplifier on, status (healthy) off`, or nil if there are none.
    private var outputText: String? {
        let words = outputs.map { output in
            let meaning = output.name == output.meaning ? "" : " (\(output.meaning))"
            return "\(output.name)\(meaning) \(output.isAsserted ? "on" : "off")"
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    private var savedAgo: String {
        guard let lastCheckpoint else { return "not yet" }
        return TimeSpan.format(.seconds(max(0, now - lastCheckpoint) / 1_000_000)) + " ago"
    }

    private func time(_ seconds: Double?) -> String { Duration.seconds(Int(seconds ?? 0)).clock() }

    var json: String {
        func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }
        return JSON.object([
            ("status", JSON.string(playbackStatus)), ("why", JSON.string(why)), ("interrupted", "\(isInterrupted)"),
            ("source", JSON.string(source)), ("players", JSON.array(players)),
            ("track", title.map(JSON.string) ?? "null"), ("position", number(position)), ("length", number(length)),
            ("gain_db", number(gain)), ("volume", number(volume)),
            ("volume_db", number(level?.decibels)), ("device", device.map(JSON.string) ?? "null"),
            ("device_available", "\(isDeviceAvailable)"), ("route", route.map(JSON.string) ?? "null"),
            ("rewind_margin_usec", rewindMargin.map { "\($0)" } ?? "null"),
            (
                "last_checkpoint",
                lastCheckpoint.map { JSON.string(Timestamp.format(.microseconds($0), decimals: 6)) } ?? "null"
            ),
            ("sound", sound.map(JSON.string) ?? "null"), ("waiting", JSON.array(waiting)),
            ("recording", "\(isRecording)"), ("recording_file", recordingFile.map(JSON.string) ?? "null"),
            ("recorded", "\(recorded)"),
            ("outputs", JSON.array(outputs.filter(\.isAsserted).map(\.name).sorted())),
            (
                "signals",
                JSON.list(
                    signals.map {
                        JSON.object([
                            ("name", JSON.string($0.name)), ("effect", JSON.string($0.effect)),
                            ("in_force", "\($0.isActive)"), ("state", JSON.string($0.state)),
                            ("faults", JSON.array($0.faults)),
                            ("poll_ms", $0.pollInterval.map(String.init) ?? "null"),
                        ])
                    })
            ), ("repaired_edges", "\(repairedEdges)"), ("health", JSON.array(health)),
        ])
    }
}

extension BusValue {
    fileprivate var number: Double? {
        switch self {
        case .double(let number): number
        case .int64(let number): Double(number)
        case .uint64(let number): Double(number)
        default: nil
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
