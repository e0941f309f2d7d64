import ALSA
import AudioSession
import Configuration
import Playback
import Supervisor
import Time

/// The part of the state after an event that the journal and the status show.
public struct StateSnapshot: Sendable {
    public var session: Session
    public var configuration: Configuration
    /// The path of the current track, or nil if there is no track.
    public var track: String?
    /// The current track, with its path in the form that the system uses.
    var file: Track?
    /// True if the track is still being searched for.
    public var isSearching = false
    /// The current track's index in playing order. It differs from the session's while the storage delays the selected
    /// track.
    public var trackNumber: Int?
    /// True if the list is shuffled, or nil to use the configured mode.
    var isShuffled: Bool?
    /// The position at which the music plays or would resume.
    public var position: Duration?
    /// The track's length, or nil if it is unknown.
    public var length: Duration?
    /// The sound device in use, or nil before the first one was opened and while it is the preferred one.
    var route: OutputRoute?
    /// The asserted outputs, sorted by name.
    var outputs: [OutputID] = []
    /// The path of the recording in progress. `recorded` is the time that has been recorded since the boot.
    var recordingFile: String?
    var recorded = Duration.zero
    /// The component that prevents the music from advancing or from being heard, or nil if there is none.
    var stall: QuietCause.Stall?
    /// Whether the device in use can be heard.
    var audibility = DeviceAudibility.audible

    public init(
        session: Session, configuration: Configuration, track: String?, position: Duration?,
        length: Duration? = nil
    ) {
        self.session = session
        self.configuration = configuration
        self.track = track
        self.position = position
        self.length = length
    }

    /// The level to which the current announcement, rather than a signal, turns the music down, or nil if it does not.
    var announcementLevel: Level? {
        guard session.dueSound?.isAnnouncement == true, case .play(let level) = session.directive,
            level < session.duckLevel ?? .full
        else { return nil }
        return level
    }

    /// ALSA's name of the device in use, or of the preferred one.
    var device: String { route?.device ?? configuration.playback.device }

    var isPlaying: Bool { session.directive != .silent }

    /// The cause of silence, or nil while something is playing.
    var quietCause: QuietCause? { QuietCause(session, stall: stall) }

    /// Returns the snapshot as it appears in traces and on the bus.
    func snapshot(_ report: Report? = nil) -> Snapshot {
        Snapshot(
            session, track: track.map { Track(path: $0).name }, position: position ?? .zero,
            notifications: report?.notifications ?? [], answer: report?.answer, outputs: outputs,
            recorded: recorded, stall: stall)
    }

    /// What plays, such as `‘One.flac’ at 2:31` or the name of an input, or nil if there is no track.
    var place: String? {
        if case .input(let input) = session.source { return input.rawValue }
        return placeInLibrary
    }

    /// The track and the position, or nil if there is no track.
    var placeInLibrary: String? {
        guard let track else { return nil }
        return "‘\(track.split(separator: "/").last ?? "")’ at \((position ?? .zero).clock())"
    }

    /// Returns the names with their sources, such as `phone-call (PHONE_CALL), door (line 5 of gpiochip0)`.
    func names(of signals: [SignalID]) -> String {
        signals.map { signal in
            configuration.sources[signal].map { "\(signal) (\($0))" } ?? signal.rawValue
        }.joined(separator: ", ")
    }

    /// Returns the reason why it is quiet as a clause, such as `phone-call (PHONE_CALL) is asserted`.
    /// - Parameter state: Describes active signals, or nil to describe them as asserted.
    func clause(_ cause: QuietCause, state: (([SignalID]) -> String)? = nil) -> String {
        cause.clause(names: names, state: state) + setting(behind: cause)
    }

    /// Returns the reason why it is quiet as a label after a colon, such as `paused`.
    func label(_ cause: QuietCause, state: (([SignalID]) -> String)? = nil) -> String {
        cause.label(names: names, state: state) + setting(behind: cause)
    }

    /// Returns the setting to change if the music should have resumed after an interruption, such as
    /// ` (Resume=manual)`.
    private func setting(behind cause: QuietCause) -> String {
        guard case .notPlaying(_, .interruptionEnded(let signals)) = cause else { return "" }
        let policies = session.policy.signals.filter { signals.contains($0.id) }
        if policies.isEmpty { return "" }
        return policies.allSatisfy { $0.resume == .auto } ? " (it took longer than ResumeWithin=)" : " (Resume=manual)"
    }

    /// Returns a clause about a signal that is stuck or chatters, or whose wires contradict each other, and about what to
    /// check, or nil for other faults.
    /// - Parameter name: The text that names the signal, or nil to name its source as well.
    func faultClause(_ kind: Fault.Kind, of signal: SignalID, named name: String? = nil) -> String? {
        let name = name ?? names(of: [signal])
        let source = configuration.sources[signal]
        return switch kind {
        case .stuck:
            "\(name) has been asserted for longer than StuckAfter=, so \(source?.stuckAdvice ?? "check its source")"
        case .chatter:
            "\(name) chatters and counts as asserted until it settles, so \(source?.chatterAdvice ?? "check its source")"
        case .wire:
            "both contacts of \(name) have the same level, so a wire is cut or shorted, or both lines are wired to the "
                + "same contact; check both wires"
        case .lost, .sound, .muted, .quiet, .unconfirmed: nil
        }
    }

    /// Returns a clause about the signals among these that are lost and not active, such as `evacuation (the bus) is lost
    /// and counts as released`, or nil if there are none.
    /// - Parameter advises: True if the clause also says what to check.
    func lossClause(of signals: [SignalID], advises: Bool = false) -> String? {
        let held = Set(session.saved.held.map(\.signal))
        let lost = signals.filter { session.faults.contains(Fault($0, .lost)) && !held.contains($0) }
        let clauses = lost.map { signal in
            "\(names(of: [signal])) is lost and counts as released\(advises ? lossAdvice(for: signal) : "")"
        }
        return clauses.isEmpty ? nil : clauses.joined(separator: " and ")
    }

    /// Returns what to check when a signal is lost, such as ` (see ‘tacet lines’)`.
    func lossAdvice(for signal: SignalID) -> String {
        " (\(configuration.sources[signal]?.signalLossAdvice ?? "see ‘tacet lines’"))"
    }

    func effect(of signal: SignalID) -> Effect? {
        session.policy.signals.first { $0.id == signal }?.effect
    }
}
