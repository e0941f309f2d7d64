import AudioSession

/// What happened in a rehearsal, in plain words, a line an event.
public struct Story {
    public init() {}

    public func tell(_ rows: [TraceRow]) -> [String] {
        var before: Snapshot?
        return rows.map { row in
            defer { before = row.state }
            return "\(pad(Clock(row.time).description, 9))  \(pad(row.event, 24))  \(sentence(row, before))"
        }
    }

    /// What follows from an event.
    /// - Parameter before: what was so before it.
    public func sentence(_ row: TraceRow, _ before: Snapshot?) -> String {
        guard let state = row.state else {
            return row.event == "power-cut" ? "The power fails, without a warning." : "Nothing runs that could notice."
        }
        var parts: [String] = []
        parts += state.notifications.map { words($0, isHeard: state.directive != .silent) }
        parts += answer(state)
        parts.append(programme(state, before))
        parts += state.faults.filter { before?.faults.contains($0) != true }.map { "Fault: \($0)." }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func words(_ notification: SessionNotification, isHeard: Bool) -> String {
        switch notification {
        case .began(.appWasSuspended): "An interruption is in force as it starts."
        case .began(let reason):
            reason == .builtInMicMuted ? "The muted microphone interrupts." : "An interruption begins."
        case .ended(let options):
            options.contains(.shouldResume)
                ? "The interruption is over." : "The interruption is over, but not to be resumed from."
        case .duckBegan(let level):
            "\(isHeard ? "Ducked" : "It would be ducked") to \(level == .mute ? "silence" : "\(level) dB")."
        case .duckChanged(let level):
            "\(isHeard ? "Now ducked" : "It would now be ducked") to \(level == .mute ? "silence" : "\(level) dB")."
        case .duckEnded: "No longer ducked."
        case .mediaServicesWereLost: "The sound device is gone."
        case .mediaServicesWereReset: "The sound device is back."
        case .configurationChanged: "The device plays another format now."
        case .routeChanged(.oldDeviceUnavailable): "The device that played was unplugged; another took over."
        case .routeChanged(.newDeviceAvailable): "The preferred device is used again."
        }
    }

    private func answer(_ state: Snapshot) -> [String] {
        switch state.answer {
        case nil, .success?: []
        case .deferred?: ["The user's wish is kept for later."]
        case .noActionableNowPlayingItem?: ["There is nothing that this could be done to."]
        case .commandFailed(let why)?: ["It cannot be done: \(why)."]
        }
    }

    private func programme(_ state: Snapshot, _ before: Snapshot?) -> String {
        guard let track = state.track else { return "There is nothing to play." }
        let place = "‘\(track)’ at \(Clock(state.position))"
        let played = before.map { $0.directive != .silent } ?? false
        switch (played, state.directive != .silent) {
        case (false, true): return "Plays \(place)."
        case (true, false):
            return "Quiet; would go on with \(place)\(state.intent == .playing ? "" : " (\(state.intent.rawValue))")."
        case (true, true): return before?.track == state.track ? "" : "Plays \(place)."
        case (false, false):
            if before == nil, state.intent == .playing { return "Quiet; would go on with \(place)." }
            guard before?.intent != state.intent else { return "" }
            // An end that does not recommend resuming.
            if state.notifications.contains(.ended([])), state.intent == .paused {
                return "Quiet until someone presses play. \(place)."
            }
            return "Quiet: the user wants it \(state.intent.rawValue). \(place)."
        }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// A time as people write it: `1:02.50`.
public struct Clock: CustomStringConvertible {
    public let description: String

    public init(_ time: Duration) {
        let hundredths = Int(time.nanoseconds / 10_000_000)
        let (minutes, rest) = (hundredths / 6000, hundredths % 6000)
        let two = { (number: Int) in String(String(number + 100).dropFirst()) }
        description = "\(minutes):\(two(rest / 100)).\(two(rest % 100))"
    }
}
