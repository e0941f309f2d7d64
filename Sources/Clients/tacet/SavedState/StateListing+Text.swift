import AudioSession
import Configuration
import ResumeStore
import Supervisor
import Time

/// The listing for people.
extension StateListing {
    var text: [String] {
        let rows = slotRows + (reading.map { stateRows($0.state) } ?? []) + bootRows
        let width = rows.map { $0.0.count }.max() ?? 0
        return ["\(file): \(reading?.description ?? error?.description ?? "")"]
            + rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
    }

    private var slotRows: [(String, String)] {
        image.slots.enumerated().map { slot, content in
            let start = slot * StateSlot.size
            return ("slot \(slot), bytes \(start) to \(start + StateSlot.size - 1)", describe(content, slot))
        }
    }

    private func describe(_ content: StateSlot.Content, _ slot: Int) -> String {
        switch content {
        case .whole(let sequence, let payload):
            "intact: state \(sequence), \(payload.count) bytes\(isUsed(slot) ? ", used" : "")"
        case .empty: "empty"
        case .otherVersion(let version): "format version \(version), which this Tacet cannot read"
        case .damaged(let damage): "damaged: \(damage)"
        }
    }

    /// True if the state is read from this slot.
    private func isUsed(_ slot: Int) -> Bool {
        if case .slot(slot, _, _)? = reading?.place { true } else { false }
    }

    private func stateRows(_ state: SavedState) -> [(String, String)] {
        var rows = [
            ("saved", "\(CivilTime(utc: state.savedAt)) UTC, \(ageText)"), ("intent", state.intent),
            ("track", state.track.map { "\($0) (\(place(of: state)))" } ?? "none"),
            ("position", state.position.clock(decimals: 3)),
            ("volume", Level(decibels: state.volume)?.text ?? "\(state.volume) dB"),
        ]
        rows += state.held.map {
            ("asserted", "\($0.signal), for \(Self.inOneUnit($0.age))\(Self.standing(of: $0))")
        }
        if let episode = state.episode {
            let lastCommand = episode.lastCommand.map { "; the user's last command since: \($0)" } ?? ""
            let end = episode.recommendsResuming ? "resumes the music" : "does not resume the music"
            rows.append(("interrupted", "reason \(episode.reason); at present its end \(end)\(lastCommand)"))
        }
        return rows
    }

    /// Returns the number of the track. A shuffled list that repeats has more numbers than tracks.
    private func place(of state: SavedState) -> String {
        "number \(state.trackNumber + 1) in playing order\(isShuffled ? ", counting all rounds" : "")"
    }

    private static func standing(of held: SavedState.Held) -> String {
        let standing =
            switch held.standing {
            case "inForce": ""
            case "suppressed": ", suppressed as an alert"
            default: ", \(held.standing)"
            }
        return standing + (held.isStuck ? ", stuck" : "")
    }

    private var ageText: String {
        age.map { "\(Self.inOneUnit($0)) ago" }
            ?? "in the future according to this machine's clock, so one of the two times is wrong"
    }

    private var bootRows: [(String, String)] {
        if reading != nil, let error { return [("a boot now", "\(error), so it starts as at the first boot")] }
        guard let forecasts else { return [] }
        let (asSaved, quiet) = (describe(forecasts.asSaved), describe(forecasts.quiet))
        guard asSaved != quiet else { return [("a boot now", asSaved)] }
        return [("a boot with the same signals", asSaved), ("a boot with no signal", quiet)]
    }

    private func describe(_ forecast: BootForecast) -> String {
        let delay = forecast.delay
        guard delay > .zero else { return outcome(forecast) }
        let keys = [
            delay > forecast.resumeDelay ? "ReleaseDelay=" : nil, forecast.resumeDelay > .zero ? "ResumeDelay=" : nil,
        ].compactMap { $0 }
        return "\(outcome(forecast)), \(TimeSpan.format(delay)) after the boot (\(keys.joined(separator: " and ")))"
    }

    private func outcome(_ forecast: BootForecast) -> String {
        let session = forecast.session
        let savedTrack = reading?.state.track.map { path in
            "‘\(path.split(separator: "/").last ?? "")’ at \(forecast.position.clock(decimals: 3))"
        }
        let track = savedTrack ?? "the first track"
        switch session.directive {
        case .play(.full): return "plays \(track)"
        case .play(let level): return "plays \(track), ducked to \(level == .mute ? "silence" : "\(level) dB")"
        case .silent: break
        }
        guard session.blocking.isEmpty else {
            return "silent: interrupted by \(session.blocking.map(\.rawValue).joined(separator: ", ")) in \(track)"
        }
        return "silent: \(session.intent.rawValue) in \(track)"
    }

    /// Formats a time in a single unit.
    private static func inOneUnit(_ time: Duration) -> String {
        let seconds = time.components.seconds
        switch seconds {
        case ..<10: return "\((time.wholeNanoseconds / 1_000_000).decimal(places: 3)) s"
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) days"
        }
    }
}
