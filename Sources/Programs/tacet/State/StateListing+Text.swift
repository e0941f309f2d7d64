import AudioSession
import Configuration
import Glibc
import ResumeStore
import Supervisor

/// For people.
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
            return ("slot \(slot), bytes \(start) to \(start + StateSlot.size - 1)", words(content, slot))
        }
    }

    private func words(_ content: StateSlot.Content, _ slot: Int) -> String {
        switch content {
        case .whole(let sequence, let payload):
            "whole: state \(sequence), of \(payload.count) bytes\(counts(slot) ? ", which counts" : "")"
        case .empty: "empty"
        case .otherVersion(let version): "of version \(version), which this Tacet cannot read"
        case .damaged(let damage): "damaged: \(damage)"
        }
    }

    private func counts(_ slot: Int) -> Bool {
        if case .slot(slot, _, _)? = reading?.place { true } else { false }
    }

    private func stateRows(_ state: SavedState) -> [(String, String)] {
        var rows = [
            ("saved", "\(Self.date(state.savedAt)), \(ageWords)"), ("intent", state.intent),
            ("track", state.track.map { "\($0) (number \(state.trackNumber + 1) as it plays them)" } ?? "none"),
            ("position", Self.clock(state.position)),
            ("volume", Level(decibels: state.volume)?.text ?? "\(state.volume) dB"),
        ]
        rows += state.held.map {
            ("asserted", "\($0.signal), for \(Self.seconds($0.age))\(Self.words($0))")
        }
        if let episode = state.episode {
            let word = episode.lastWord.map { "; the user has said \($0) since" } ?? ""
            let advice = episode.recommendsResuming ? "would resume" : "would not resume"
            rows.append(("interrupted", "by reason \(episode.reason); its end so far \(advice)\(word)"))
        }
        return rows
    }

    private static func words(_ held: SavedState.Held) -> String {
        let standing =
            switch held.standing {
            case "inForce": ""
            case "suppressed": ", suppressed as an alert"
            default: ", \(held.standing)"
            }
        return standing + (held.isStuck ? ", stuck" : "")
    }

    private var ageWords: String {
        age.map { "\(Self.seconds($0)) ago" } ?? "later than the clock says now: one of the two is wrong"
    }

    private var bootRows: [(String, String)] {
        if reading != nil, let error { return [("a boot now", "\(error): it would be a first one")] }
        guard let forecasts else { return [] }
        let (asSaved, quiet) = (words(forecasts.asSaved), words(forecasts.quiet))
        guard asSaved != quiet else { return [("a boot now", asSaved)] }
        return [("a boot with the same wires", asSaved), ("a boot with none asserted", quiet)]
    }

    private func words(_ forecast: BootForecast) -> String {
        let delay = forecast.delay
        guard delay > .zero else { return outcome(forecast) }
        let keys = [
            delay > forecast.resumeDelay ? "ReleaseDelay=" : nil, forecast.resumeDelay > .zero ? "ResumeDelay=" : nil,
        ].compactMap { $0 }
        return "\(outcome(forecast)), \(TimeSpan.format(delay)) after the boot (\(keys.joined(separator: " and ")))"
    }

    private func outcome(_ forecast: BootForecast) -> String {
        let session = forecast.session
        let place = reading?.state.track.map { path in
            "‘\(path.split(separator: "/").last ?? "")’ at \(Self.clock(forecast.position))"
        }
        let what = place ?? "the first track"
        switch session.directive {
        case .play(.full): return "plays \(what)"
        case .play(let level): return "plays \(what), ducked to \(level == .mute ? "silence" : "\(level) dB")"
        case .silent: break
        }
        guard session.blocking.isEmpty else {
            return "is silent, as \(session.blocking.map(\.rawValue).joined(separator: ", ")) interrupts; \(what) waits"
        }
        return "is silent, as the user wants it \(session.intent.rawValue); \(what) waits"
    }

    // MARK: Times

    /// `2:31.250`
    private static func clock(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return "\(seconds / 60):\(padded(seconds % 60, 2)).\(padded(milliseconds, 3))"
    }

    /// In one unit.
    private static func seconds(_ time: Duration) -> String {
        let seconds = time.components.seconds
        switch seconds {
        case ..<10: return "\(seconds).\(padded(time.components.attoseconds / 1_000_000_000_000_000, 3)) s"
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) days"
        }
    }

    /// `2026-11-21 15:40:12 UTC`
    private static func date(_ time: Duration) -> String {
        var seconds = time_t(clamping: time.components.seconds)
        var date = tm()
        guard gmtime_r(&seconds, &date) != nil else { return "\(seconds) s after 1970" }
        let day = "\(Int(date.tm_year) + 1900)-\(padded(date.tm_mon + 1, 2))-\(padded(date.tm_mday, 2))"
        return "\(day) \(padded(date.tm_hour, 2)):\(padded(date.tm_min, 2)):\(padded(date.tm_sec, 2)) UTC"
    }

    private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
