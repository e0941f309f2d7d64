import Time
import Vocabulary

/// The state after an event and all its immediate consequences. It is one row of a trace of `tacet simulate`, and the
/// payload of the bus signal `Event`.
public struct Snapshot: Hashable, Sendable {
    /// The user's intent for the music.
    public var intent: Intent
    /// True if an episode is in progress.
    public var isInterrupted: Bool
    /// The required state of the music.
    public var directive: Directive
    /// The level that the user has set for the music.
    public var volume: Level
    /// True if an active signal mutes the microphone.
    public var isMicrophoneMuted: Bool
    /// True if the audio device is available.
    public var servicesAvailable: Bool
    /// The active signals, sorted by name.
    public var active: [SignalID]
    /// The notifications that the event caused, in order.
    public var notifications: [SessionNotification]
    /// The file name of the track, or nil if there is no track.
    public var track: String?
    /// The position in the track at which the music plays, or at which it would resume if it is silent.
    public var position: Duration
    /// The answer to a command, or nil if the event was not a command.
    public var answer: Answer?
    /// The current faults, sorted.
    public var faults: [Fault]
    /// The due sound, or nil if there is none.
    public var sound: SoundID?
    /// The number of the due announcement, or nil if no announcement is due, for example because a cue is due.
    public var announcement: Announcement.ID?
    /// The sounds of the announcements that wait. The oldest comes first.
    public var waiting: [SoundID]
    /// The asserted outputs, sorted by name.
    public var outputs: [OutputID]
    /// True if the session is recording from the microphone.
    public var isRecording: Bool
    /// The time that has been recorded since the boot.
    public var recorded: Duration
    /// The selected source.
    public var source: Source
    /// The players that Tacet keeps paused, as they have confirmed, sorted by name.
    public var players: [PlayerID]
    /// The players that Tacet has ordered to pause, sorted by name. Only the bus has them.
    public var orderedPlayers: [PlayerID]
    /// The players in whose place something else is heard, sorted by name. Only the bus has them.
    public var displacedPlayers: [PlayerID]
    /// The reason why no music is audible, or nil if music is audible or the reason is unknown.
    public var quietCause: QuietCause?

    /// Creates the state after an event.
    /// - Parameters:
    ///   - session: the session after the event.
    ///   - track: the file name of the track, or nil if there is no track.
    ///   - position: the position in the track.
    ///   - notifications: the notifications that the event caused, in order.
    ///   - answer: the answer to a command, or nil for any other event.
    ///   - outputs: the asserted outputs, sorted by name.
    ///   - recorded: the time that has been recorded since the boot.
    ///   - stall: the component that prevents the music from advancing or from being heard, or nil if there is none.
    public init(
        _ session: Session, track: String?, position: Duration, notifications: [SessionNotification] = [],
        answer: Answer? = nil, outputs: [OutputID] = [], recorded: Duration = .zero, stall: QuietCause.Stall? = nil
    ) {
        intent = session.intent
        isInterrupted = session.isInterrupted
        directive = session.directive
        volume = session.volume
        isMicrophoneMuted = session.isMicrophoneMuted
        servicesAvailable = session.servicesAvailable
        active = session.active.sorted()
        self.notifications = notifications
        self.track = track
        self.position = position
        self.answer = answer
        faults = session.faults
        let due = session.dueSound
        sound = due?.sound
        announcement = due?.announcement
        waiting = session.waiting
        self.outputs = outputs
        isRecording = session.isRecording
        self.recorded = recorded
        source = session.source
        players = session.pausedPlayers.sorted()
        orderedPlayers = session.keptPlayers.sorted()
        displacedPlayers = session.displacedPlayers.sorted()
        quietCause = QuietCause(session, stall: stall)
    }
}

/// A snapshot as key-value pairs, for JSON and the bus.
extension Snapshot {
    /// A value that any format can represent.
    public enum Value: Hashable, Sendable {
        case text(String)
        case texts([String])
        case flag(Bool)
        case number(Double)
        case seconds(Duration)
        /// Null in JSON. Formats without a null omit the field.
        case nothing
    }

    /// The fields of a trace, always in this order.
    public var fields: [(key: TraceKey, value: Value)] {
        [
            (.intent, .text(intent.rawValue)),
            (.session, .text(isInterrupted ? "interrupted" : "active")),
            (.playing, .flag(directive != .silent)),
            (.gain, gain.map { .number($0.decibels) } ?? .nothing),
            (.volume, .number(volume.decibels)),
            (.microphoneMuted, .flag(isMicrophoneMuted)),
            (.services, .text(servicesAvailable ? "available" : "lost")),
            (.active, .texts(active.map(\.rawValue))),
            (.notifications, .texts(notifications.map(\.description))),
            (.track, track.map(Value.text) ?? .nothing),
            (.position, .seconds(position)),
            (.answer, answer.map { .text($0.name) } ?? .nothing),
            (.faults, .texts(faults.map(\.description))),
            (.sound, sound.map { .text($0.rawValue) } ?? .nothing),
            (.waiting, .texts(waiting.map(\.rawValue))),
            (.outputs, .texts(outputs.map(\.rawValue))),
            (.recording, .flag(isRecording)),
            (.recorded, .seconds(recorded)),
            (.source, .text(source.description)),
            (.players, .texts(players.map(\.rawValue))),
        ]
    }

    /// The fields on the bus. These are the fields of a trace, the number of the due announcement and `quiet_cause`.
    /// They also contain four lists that a trace omits. These are the number of the announcement in each notification
    /// about a sound, the cause of each `soundCut`, and the players that must pause or whose place something else takes.
    public var busFields: [(key: TraceKey, value: Value)] {
        let numbers = notifications.compactMap { $0.sound.map { String($0.id) } }
        let causes = notifications.compactMap { $0.cutCause?.rawValue }
        return fields + [
            (.announcement, announcement.map { .text(String($0)) } ?? .nothing),
            (.soundIDs, numbers.isEmpty ? .nothing : .texts(numbers)),
            (.cutCauses, causes.isEmpty ? .nothing : .texts(causes)),
            (.orderedPlayers, orderedPlayers.isEmpty ? .nothing : .texts(orderedPlayers.map(\.rawValue))),
            (.displacedPlayers, displacedPlayers.isEmpty ? .nothing : .texts(displacedPlayers.map(\.rawValue))),
            (.quietCause, quietCause.map { .text($0.description) } ?? .nothing),
        ]
    }

    /// The level of the directive, or nil if it is silent.
    public var gain: Level? { if case .play(let level) = directive { level } else { nil } }

    /// Creates a snapshot from the fields that another program sent. Unknown keys, notifications and faults are
    /// ignored, and `commandFailed` has an empty reason.
    ///
    /// - Returns: nil if a required field is missing or has the wrong type or value.
    public init?(fields: [TraceKey: Value]) {
        guard case .text(let intent)? = fields[.intent], let intent = Intent(rawValue: intent),
            case .text(let session)? = fields[.session],
            case .flag(let plays)? = fields[.playing],
            case .number(let volume)? = fields[.volume], let volume = Level(decibels: volume),
            case .flag(let isMuted)? = fields[.microphoneMuted],
            case .text(let services)? = fields[.services],
            case .texts(let active)? = fields[.active],
            case .texts(let notifications)? = fields[.notifications],
            case .seconds(let position)? = fields[.position],
            case .texts(let faults)? = fields[.faults]
        else { return nil }
        self.intent = intent
        isInterrupted = session == "interrupted"
        self.volume = volume
        isMicrophoneMuted = isMuted
        servicesAvailable = services == "available"
        self.active = active.map(SignalID.init(_:))
        let numbers: [String] = if case .texts(let numbers)? = fields[.soundIDs] { numbers } else { [] }
        let causes: [String] = if case .texts(let causes)? = fields[.cutCauses] { causes } else { [] }
        self.notifications = Snapshot.completed(
            notifications.compactMap(SessionNotification.init), numbers: numbers, causes: causes)
        self.position = position
        self.faults = faults.compactMap(Fault.init)
        sound = if case .text(let name)? = fields[.sound] { SoundID(name) } else { nil }
        announcement = if case .text(let number)? = fields[.announcement] { Announcement.ID(number) } else { nil }
        waiting = if case .texts(let names)? = fields[.waiting] { names.map { SoundID($0) } } else { [] }
        outputs = if case .texts(let names)? = fields[.outputs] { names.map { OutputID($0) } } else { [] }
        isRecording = fields[.recording] == .flag(true)
        recorded = if case .seconds(let length)? = fields[.recorded] { length } else { .zero }
        track = if case .text(let name)? = fields[.track] { name } else { nil }
        source = if case .text(let name)? = fields[.source] { Source(name) } else { .library }
        players = if case .texts(let names)? = fields[.players] { names.map { PlayerID($0) } } else { [] }
        orderedPlayers = if case .texts(let names)? = fields[.orderedPlayers] { names.map { PlayerID($0) } } else { [] }
        displacedPlayers =
            if case .texts(let names)? = fields[.displacedPlayers] { names.map { PlayerID($0) } } else { [] }
        quietCause = if case .text(let cause)? = fields[.quietCause] { QuietCause(cause) } else { nil }
        answer = if case .text(let name)? = fields[.answer] { Answer(name: name) } else { nil }
        switch (plays, fields[.gain]) {
        case (false, _): directive = .silent
        case (true, .number(let gain)?):
            guard let level = Level(decibels: gain) else { return nil }
            directive = .play(level)
        default: return nil
        }
    }

    private static func completed(
        _ notifications: [SessionNotification], numbers: [String], causes: [String]
    ) -> [SessionNotification] {
        var (numbers, causes) = (numbers[...], causes[...])
        return notifications.map { notification in
            guard let sound = notification.sound else { return notification }
            let id = numbers.popFirst().flatMap(Announcement.ID.init) ?? sound.id
            guard notification.cutCause != nil else { return notification.numbered(id) }
            let cause = causes.popFirst().flatMap(SoundCutCause.init) ?? .unknown
            return .soundCut(sound.name, id: id, because: cause)
        }
    }
}

extension Snapshot.Value {
    /// Returns the value as JSON.
    ///
    /// - Parameter quoted: returns a string as JSON.
    package func json(quoting quoted: (String) -> String) -> String {
        switch self {
        case .text(let text): quoted(text)
        case .texts(let texts): "[" + texts.map(quoted).joined(separator: ",") + "]"
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): Level.number(number)
        case .seconds(let time): "\(Seconds(time))"
        case .nothing: "null"
        }
    }
}
