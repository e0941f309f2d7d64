import AudioSession
import Configuration
import Release
import Supervisor
import Systemd
import Time
import Vocabulary

extension BusInterface {
    /// The interface `org.tacet.Session1`. It contains everything that MPRIS cannot express, for clients such as a
    /// kiosk's screen.
    static func session(_ remote: any Remote) -> BusInterface {
        BusInterface(
            SessionAddress.session,
            methods: [
                BusMethod(answeringLater: .command) { arguments, reply throws(BusError) in
                    guard case .string(let text) = arguments[0] else {
                        throw .invalidArguments("Command takes a string, such as pause")
                    }
                    let command: WrittenCommand
                    do throws(CommandError) { command = try WrittenCommand.parse(text) } catch {
                        throw .invalidArguments("\(error)")
                    }
                    remote.execute(command) { answer in
                        reply.answer([.string(answer.name), .string(answer.reason)])
                    }
                },
                BusMethod(answeringLater: .announce) { arguments, reply throws(BusError) in
                    guard case .string(let name) = arguments[0], SoundID.canBeName(name) else {
                        throw .invalidArguments("Announce needs the name of a sound, such as gong")
                    }
                    let options = try AnnounceOptions(arguments[1])
                    remote.announce(
                        Announcement(
                            SoundID(name), priority: options.priority, maximumPriority: options.maximumPriority,
                            expire: options.expire),
                        file: options.file, level: options.level
                    ) { answer, id in reply.answer([.string(answer.name), .uint64(id)]) }
                },
                // For a deassertion, a time of 0 means that it does not have a lease. Otherwise the signal is lost if
                // the lease expires.
                BusMethod(.setSignal) { arguments throws(BusError) in
                    guard case .string(let name) = arguments[0], case .bool(let asserted) = arguments[1],
                        case .uint64(let time) = arguments[2]
                    else { throw .invalidArguments("SetSignal needs the name of a signal, a boolean, and a time") }
                    let lease = ProgramLevels.Lease(microseconds: time)
                    return [
                        .string(
                            try remote.set(
                                SignalID(name), asserted: asserted, lease: asserted || time != 0 ? lease : nil
                            )
                            .name)
                    ]
                },
                BusMethod(.hush) { _ in
                    [.string(remote.command(.hush).name)]
                },
                BusMethod(answeringLater: .tracks, isQuestion: true) { arguments, reply throws(BusError) in
                    guard case .string(let text) = arguments[0], case .uint32(let first) = arguments[1],
                        text.utf8.count <= ChoiceRequest.longestName
                    else { throw .invalidArguments("Tracks takes a text and a number") }
                    remote.listTracks(matching: text, from: Int(first)) { found, time in
                        reply.charge(time)
                        guard let found else { return reply.refuse(.failed("too many lists are being made")) }
                        reply.answer([.strings(found.names), .uint32(UInt32(clamping: found.count))])
                    }
                },
                BusMethod(.setPrefersNoInterruptionsFromSystemAlerts) { arguments throws(BusError) in
                    guard case .bool(let isPreferred) = arguments[0] else {
                        throw .invalidArguments(
                            "SetPrefersNoInterruptionsFromSystemAlerts needs a boolean")
                    }
                    try remote.setPrefersNoInterruptionsFromSystemAlerts(isPreferred)
                    return []
                },
                BusMethod(.reportPlayer) { arguments throws(BusError) in
                    guard case .string(let name) = arguments[0], case .string(let text) = arguments[1],
                        let report = PlayerReport(rawValue: text), case .bool(let isOwn) = arguments[2],
                        case .uint64(let order) = arguments[3]
                    else {
                        throw .invalidArguments(
                            "ReportPlayer needs the name of a player, playing, paused or gone, a boolean, and a number")
                    }
                    try remote.report(PlayerID(name), report, isOwn: isOwn, after: order)
                    return []
                },
                BusMethod(.reportPlayerProblem) { arguments throws(BusError) in
                    guard case .string(let name) = arguments[0], case .string(let problem) = arguments[1] else {
                        throw .invalidArguments("ReportPlayerProblem needs the name of a player and a problem")
                    }
                    try remote.report(PlayerID(name), problem: problem)
                    return []
                },
                BusMethod(.reportInput) { arguments throws(BusError) in
                    guard case .string(let name) = arguments[0], case .string(let title) = arguments[1],
                        case .string(let artist) = arguments[2], case .string(let problem) = arguments[3]
                    else {
                        throw .invalidArguments(
                            "ReportInput needs the name of an input, a title, an artist, and a problem")
                    }
                    let stream = try remote.report(InputID(name), title: title, artist: artist, problem: problem)
                    return [.string(stream.url), .string(stream.pipe)]
                },
            ],
            properties: [
                .constant(SessionProperty.version.rawValue, .string(Release.version)),
                BusProperty(.interrupted, get: { .bool(remote.view?.scene.session.isInterrupted ?? false) }),
                BusProperty(
                    .reasons, get: { .strings([remote.view?.scene.session.episode?.reason.rawValue].compactMap { $0 }) }
                ),
                BusProperty(.signals, get: { remote.view?.signals ?? .array(of: "(ssb)", []) }),
                BusProperty(.signalStates, get: { remote.view?.signalStates ?? .array(of: "(ss)", []) }),
                BusProperty(.device, get: { .string(remote.view?.scene.device ?? "") }),
                BusProperty(.route, get: { .string(remote.view?.context.route ?? "") }),
                BusProperty(
                    .rewindMargin,
                    get: { .uint64(UInt64(clamping: remote.view?.context.rewindMargin?.wholeMicroseconds ?? 0)) }),
                BusProperty(.deviceAvailable, get: { .bool(remote.view?.scene.session.servicesAvailable ?? false) }),
                BusProperty(.health, get: { .strings(remote.view?.context.complaints ?? []) }),
                BusProperty(.sound, get: { .string(remote.view?.scene.session.dueSound?.sound.rawValue ?? "") }),
                BusProperty(.sounds, get: { remote.view?.sounds ?? .array(of: "(sdbss)", []) }),
                BusProperty(.outputs, get: { remote.view?.outputs ?? .array(of: "(ssb)", []) }),
                BusProperty(.recording, get: { .bool(remote.view?.scene.session.isRecording ?? false) }),
                BusProperty(.recordingFile, get: { .string(remote.view?.scene.recordingFile ?? "") }),
                BusProperty(.microphoneMuted, get: { .bool(remote.view?.scene.session.isMicrophoneMuted ?? false) }),
                BusProperty(.gain, get: { .double(remote.view?.gain ?? 0) }),
                BusProperty(
                    .status,
                    get: {
                        .string(remote.view.map { "\(StatusLine($0.context))" } ?? "Reloading")
                    }),
                BusProperty(
                    .lastCheckpoint,
                    get: {
                        .uint64(UInt64(clamping: remote.view?.lastCheckpoint?.wholeMicroseconds ?? 0))
                    }),
                BusProperty(.lines, get: { remote.view?.heldLines ?? .array(of: "(ssub)", []) }),
                BusProperty(.polledLines, get: { remote.view?.polledLines ?? .array(of: "(sus)", []) }),
                BusProperty(.repairedEdges, get: { .uint64(UInt64(remote.view?.readings().repairs ?? 0)) }),
                BusProperty(.inputs, get: { remote.view?.inputs ?? .array(of: "(ssssd)", []) }),
                BusProperty(.players, get: { remote.view?.players(remote.lastOrder) ?? .array(of: "{s(sssbt)}", []) }),
                // These properties contain the position, which changes continuously.
                BusProperty(.scene, get: { remote.view?.scene.snapshot().dictionary ?? .dictionary([:]) }),
                BusProperty(
                    .why,
                    get: {
                        .string(
                            remote.view.map { "\(Explanation($0.context))" }
                                ?? "Another configuration is being applied.")
                    }),
            ],
            signals: SessionSignal.allCases.map(BusSignal.init))
    }
}

extension BusMethod {
    fileprivate init(_ member: SessionMethod, _ body: @escaping ([BusValue]) throws(BusError) -> [BusValue]) {
        self.init(member.rawValue, BusArgument.all(member.inputs), answers: BusArgument.all(member.answers), body)
    }

    fileprivate init(
        answeringLater member: SessionMethod, isQuestion: Bool = false,
        _ body: @escaping ([BusValue], BusReply) throws(BusError) -> Void
    ) {
        self.init(
            member.rawValue, BusArgument.all(member.inputs), answersLater: BusArgument.all(member.answers),
            isQuestion: isQuestion, body)
    }
}

extension BusProperty {
    fileprivate init(_ member: SessionProperty, get: @escaping () -> BusValue) {
        self.init(member.rawValue, member.type, change: member.isReported ? .emitsSignal : .noSignal, get: get)
    }
}

extension BusSignal {
    fileprivate init(_ member: SessionSignal) { self.init(member.rawValue, BusArgument.all(member.arguments)) }
}

extension BusArgument {
    fileprivate static func all(_ arguments: SessionMethod.Arguments) -> [BusArgument] {
        arguments.map { BusArgument($0.name, $0.type) }
    }
}

extension RemoteView {
    /// The name and effect of each signal, and whether it is active.
    var signals: BusValue {
        let active = Set(scene.session.active)
        return .array(
            of: "(ssb)",
            scene.session.policy.signals.map {
                .structure([.string($0.id.rawValue), .string($0.effect.name), .bool(active.contains($0.id))])
            })
    }

    /// The name and state of each signal. The state is `deasserted`, `inForce`, `suppressed` (as an alert) or `dropped`
    /// (as stuck).
    var signalStates: BusValue {
        let held = scene.session.saved.held
        return .array(
            of: "(ss)",
            scene.session.policy.signals.map { signal in
                let standing = held.first { $0.signal == signal.id }?.standing
                return .structure([.string(signal.id.rawValue), .string(standing?.rawValue ?? "deasserted")])
            })
    }

    /// The state of each sound, which is `due`, `waiting` (as an announcement) or `idle`.
    var sounds: BusValue {
        let session = scene.session
        let (due, waiting) = (session.dueSound?.sound, session.waiting)
        let unreadable = session.unreadableSounds
        return .array(
            of: "(sdbss)",
            session.policy.sounds.map(\.id).map { sound in
                let length = (context.soundLengths[sound] ?? .zero) / .seconds(1)
                let state = sound == due ? "due" : waiting.contains(sound) ? "waiting" : "idle"
                let problem = context.soundProblems[sound]?.reason ?? ""
                return .structure([
                    .string(sound.rawValue), .double(length), .bool(!unreadable.contains(sound)), .string(problem),
                    .string(state),
                ])
            })
    }

    var outputs: BusValue {
        .array(
            of: "(ssb)",
            scene.configuration.outputs.map(\.policy).map { output in
                .structure([
                    .string(output.id.rawValue), .string(output.meaning.name),
                    .bool(scene.outputs.contains(output.id)),
                ])
            })
    }

    /// The name (such as `signal phone-call`), the chip (such as `/dev/gpiochip0`), the offset and the level of each
    /// line that is held. The level is true if it is high.
    var heldLines: BusValue {
        .array(
            of: "(ssub)",
            lines().map { line in
                .structure([
                    .string(line.title), .string(line.chip), .uint32(UInt32(clamping: line.offset)), .bool(line.level),
                ])
            })
    }

    /// The title, the interval in milliseconds and the reason of each line that is polled.
    var polledLines: BusValue {
        .array(
            of: "(sus)",
            readings().polled.map { line in
                let milliseconds = UInt32(line.polling.interval / .milliseconds(1))
                return .structure([.string(line.title), .uint32(milliseconds), .string(line.polling.reason)])
            })
    }

    /// The gain in decibels, which is 0 at full level and −120 in silence.
    var gain: Double {
        if case .play(let level) = scene.session.directive { level.decibels } else { Level.mute.decibels }
    }
}

extension Snapshot {
    /// The snapshot as a dictionary of the bus. The bus does not have null, so keys without a value are missing.
    var dictionary: BusValue {
        .dictionary(
            busFields.reduce(into: [:]) { values, field in
                switch field.value {
                case .text(let text): values[field.key.rawValue] = .string(text)
                case .texts(let texts): values[field.key.rawValue] = .strings(texts)
                case .flag(let flag): values[field.key.rawValue] = .bool(flag)
                case .number(let number): values[field.key.rawValue] = .double(number)
                case .seconds(let time): values[field.key.rawValue] = .double(time / .seconds(1))
                case .nothing: break
                }
            })
    }
}

extension Report {
    /// True if followers of the session receive the report. They do not receive a report that a command became audible,
    /// or that only a preference changed, because it does not change anything that they see. They also do not receive
    /// the same thing twice.
    var isTold: Bool {
        switch cause.note {
        case .preferenceChanged: false
        case .playback(.effect), .playback(.soundHeard), .playback(.deviceLost): false
        case .playback(.routeLost), .playback(.routeBack), .playback(.routeFound): false
        default: true
        }
    }
}

extension SessionNotification {
    /// Returns the notification as a signal of `Session1`.
    func signal(in scene: StateSnapshot) -> (member: SessionSignal, values: [BusValue]) {
        switch self {
        case .began(let reason):
            (.interruptionBegan, [.string(reason.rawValue), .strings(scene.session.blocking.map(\.rawValue))])
        case .ended(let options): (.interruptionEnded, [.bool(options.contains(.shouldResume))])
        case .duckBegan(let level): (.duckBegan, [.double(level.decibels)])
        case .duckChanged(let level): (.duckChanged, [.double(level.decibels)])
        case .duckEnded: (.duckEnded, [])
        case .mediaServicesWereLost: (.mediaServicesWereLost, [])
        case .mediaServicesWereReset: (.mediaServicesWereReset, [])
        case .configurationChanged: (.configurationChanged, [])
        case .routeChanged(let reason): (.routeChanged, [.string(reason.rawValue)])
        case .sourceChanged(let source): (.sourceChanged, [.string(source.description)])
        case .soundBegan(let sound, let id): (.soundBegan, [.string(sound.rawValue), .uint64(id)])
        case .soundEnded(let sound, let id): (.soundEnded, [.string(sound.rawValue), .uint64(id)])
        case .soundCut(let sound, let id, _): (.soundCut, [.string(sound.rawValue), .uint64(id)])
        case .soundExpired(let sound, let id): (.soundExpired, [.string(sound.rawValue), .uint64(id)])
        }
    }
}

extension Answer {
    /// The reason for a failure, or an empty string if there is none.
    var reason: String { if case .commandFailed(let reason) = self { reason } else { "" } }
}
