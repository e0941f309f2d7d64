import AudioSession
import Time
import Vocabulary

/// Describes what happened in a rehearsal to people, with one line per event.
public struct TraceFormatter {
    public init() {}

    public func lines(for rows: [TraceRow]) -> [String] {
        var before: Snapshot?
        return rows.map { row in
            defer { before = row.state }
            return "\(pad(row.time.clock(decimals: 2), 9))  \(pad(row.event, 26))  \(sentence(row, before))"
        }
    }

    /// Describes the consequences of an event.
    /// - Parameter before: the state before the event, or nil if it is unknown.
    public func sentence(_ row: TraceRow, _ before: Snapshot?) -> String {
        guard let state = row.state else {
            return row.event == ScenarioWord.powerCut.rawValue
                ? "The power fails without warning." : "Tacet is not running."
        }
        var parts: [String] = []
        parts += state.notifications.map { words($0, isHeard: state.directive != .silent) }
        parts += answer(row.event, state)
        parts.append(playback(state, before))
        parts += recording(state, before)
        parts += outputs(state, before)
        parts += state.faults.filter { before?.faults.contains($0) != true }.map { "Fault: \($0)." }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func words(_ notification: SessionNotification, isHeard: Bool) -> String {
        switch notification {
        case .began(.appWasSuspended): "An interruption is already active at the start."
        case .began(let reason):
            reason == .builtInMicMuted ? "The muted microphone interrupts." : "An interruption begins."
        case .ended(let options):
            options.contains(.shouldResume)
                ? "The interruption is over." : "The interruption is over, but the music does not resume automatically."
        case .duckBegan(let level):
            "\(isHeard ? "Ducked" : "It would be ducked") to \(level == .mute ? "silence" : "\(level) dB")."
        case .duckChanged(let level):
            "\(isHeard ? "Now ducked" : "It would now be ducked") to \(level == .mute ? "silence" : "\(level) dB")."
        case .duckEnded: "No longer ducked."
        case .mediaServicesWereLost: "The sound device is lost."
        case .mediaServicesWereReset: "The sound device has returned."
        case .configurationChanged: "The device's format has changed."
        case .routeChanged(.oldDeviceUnavailable):
            "The device that was playing was unplugged, and another one took over."
        case .routeChanged(.newDeviceAvailable): "The preferred device is used again."
        case .sourceChanged(.library): "The library is selected again."
        case .sourceChanged(.input(let input)): "The input \(input) is selected."
        case .soundBegan(let sound, let id): "\(kind(id)) \(sound) begins."
        case .soundEnded(let sound, let id): "\(kind(id)) \(sound) was played to its end."
        case .soundCut(let sound, let id, _): "\(kind(id)) \(sound) stops."
        case .soundExpired(let sound, let id): "\(kind(id)) \(sound) has expired and will not be played."
        }
    }

    private func kind(_ id: Announcement.ID) -> String { id == 0 ? "The cue" : "The announcement" }

    private func answer(_ event: String, _ state: Snapshot) -> [String] {
        guard let answer = state.answer else { return [] }
        if let text = AnswerText(event: event, state) { return [text.sentence(answer)].compactMap { $0 } }
        guard event.hasPrefix("\(ScenarioWord.button.rawValue) ") else { return [] }
        // The row of a button does not contain its command.
        switch answer {
        case .success: return []
        case .deferred: return ["Queued."]
        case .noActionableNowPlayingItem: return ["Ignored."]
        case .noSuchContent: return ["There is nothing with this name, or it cannot be played."]
        case .commandFailed(let reason): return ["The command failed: \(reason)."]
        }
    }

    private func playback(_ state: Snapshot, _ before: Snapshot?) -> String {
        guard let place = place(state) else { return "There is no music to play." }
        let played = before.map { $0.directive != .silent } ?? false
        switch (played, state.directive != .silent) {
        case (false, true): return "Plays \(place)."
        case (true, false): return quiet(state, place)
        case (true, true):
            // The notification names an input that is selected.
            guard state.source == .library else { return "" }
            return before?.source == .library && before?.track == state.track ? "" : "Plays \(place)."
        case (false, false):
            if before == nil, state.intent == .playing { return quiet(state, place) }
            return before?.intent != state.intent ? quiet(state, place) : ""
        }
    }

    /// Returns what plays or would resume, or nil if there is nothing to play.
    private func place(_ state: Snapshot) -> String? {
        if case .input(let input) = state.source { return input.rawValue }
        return state.track.map { "‘\($0)’ at \(state.position.clock(decimals: 2))" }
    }

    private func quiet(_ state: Snapshot, _ place: String) -> String {
        let cause = state.quietCause.map { ": \($0.label())" } ?? ""
        if case .notPlaying? = state.quietCause { return "Quiet\(cause). \(place)." }
        let playing = state.intent == .playing
        let outlook = playing ? "will resume" : "stays \(state.intent.rawValue) in"
        return "Quiet\(cause); \(outlook) \(place)."
    }

    private func recording(_ state: Snapshot, _ before: Snapshot?) -> [String] {
        switch (before?.isRecording ?? false, state.isRecording) {
        case (false, true): ["Recording begins."]
        case (true, false): ["Recording stops."]
        case (true, true), (false, false): []
        }
    }

    private func outputs(_ state: Snapshot, _ before: Snapshot?) -> [String] {
        let former = before?.outputs ?? []
        let on = state.outputs.filter { !former.contains($0) }.map { "Output \($0) on." }
        return on + former.filter { !state.outputs.contains($0) }.map { "Output \($0) off." }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
