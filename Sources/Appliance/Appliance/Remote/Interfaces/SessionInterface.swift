import AudioSession
import Release
import Supervisor
import Systemd

extension BusInterface {
    static let session1 = "org.tacet.Session1"

    /// `org.tacet.Session1`: everything that MPRIS cannot express, for clients such as a kiosk's screen.
    static func session(_ remote: any Remote) -> BusInterface {
        BusInterface(
            session1,
            methods: [
                BusMethod(
                    "Command", [BusArgument("command", "s")],
                    answers: [
                        BusArgument("answer", "s"), BusArgument("reason", "s"),
                    ]
                ) { arguments throws(BusError) in
                    guard case .string(let text) = arguments[0], let command = RemoteCommand(text) else {
                        throw .invalidArguments(RemoteCommand.advice)
                    }
                    let answer = remote.command(command.command)
                    return [.string(answer.name), .string(answer.reason)]
                },
                // The options are priority, expire, file (the absolute path of what is heard instead of the sound's own file, with
                // at most 2 MiB), and that file's level, in decibels relative to the sound's. With a file, the answer comes
                // when it has been read, which can take 20 s.
                BusMethod(
                    "Announce", [BusArgument("name", "s"), BusArgument("options", "a{sv}")],
                    answersLater: [BusArgument("answer", "s"), BusArgument("id", "t")]
                ) { arguments, reply throws(BusError) in
                    guard case .string(let name) = arguments[0], SoundID.canBeName(name) else {
                        throw .invalidArguments("Announce takes the name of a sound, such as gong")
                    }
                    let options = try AnnounceOptions(arguments[1])
                    remote.announce(
                        Announcement(
                            SoundID(name), priority: options.priority, maximumPriority: options.maximumPriority,
                            expire: options.expire),
                        file: options.file, level: options.level
                    ) { answer, id in reply.answer([.string(answer.name), .uint64(id)]) }
                },
                // For a deassertion, 0 means that the program does not vouch for it; else it is lost with the lease, too.
                BusMethod(
                    "SetSignal",
                    [BusArgument("name", "s"), BusArgument("asserted", "b"), BusArgument("lease_usec", "t")],
                    answers: [BusArgument("answer", "s")]
                ) { arguments throws(BusError) in
                    guard case .string(let name) = arguments[0], case .bool(let asserted) = arguments[1],
                        case .uint64(let time) = arguments[2]
                    else { throw .invalidArguments("SetSignal takes a name, whether it is asserted, and a time") }
                    let lease = ProgramLevels.Lease(microseconds: time)
                    return [
                        .string(
                            try remote.set(
                                SignalID(name), asserted: asserted, lease: asserted || time != 0 ? lease : nil
                            )
                            .name)
                    ]
                },
                BusMethod("Hush", answers: [BusArgument("answer", "s")]) { _ in
                    [.string(remote.command(.hush).name)]
                },
                BusMethod(
                    "SetPrefersNoInterruptionsFromSystemAlerts", [BusArgument("preferred", "b")]
                ) { arguments throws(BusError) in
                    guard case .bool(let isPreferred) = arguments[0] else {
                        throw .invalidArguments(
                            "SetPrefersNoInterruptionsFromSystemAlerts takes whether that is preferred")
                    }
                    try remote.setPrefersNoInterruptionsFromSystemAlerts(isPreferred)
                    return []
                },
            ],
            properties: [
                .constant("Version", .string(Release.version)),
                BusProperty("Interrupted", "b", get: { .bool(remote.view?.scene.session.isInterrupted ?? false) }),
                // The reason of the episode in progress, as in InterruptionBegan: default, builtInMicMuted or
                // appWasSuspended. `Signals` has the signals.
                BusProperty(
                    "Reasons", "as",
                    get: { .strings([remote.view?.scene.session.episode?.reason.rawValue].compactMap { $0 }) }),
                BusProperty("Signals", "a(ssb)", get: { remote.view?.signals ?? .array(of: "(ssb)", []) }),
                // The state of each: active, asserted without an effect, or deasserted.
                BusProperty("SignalStates", "a(ss)", get: { remote.view?.signalStates ?? .array(of: "(ss)", []) }),
                BusProperty(
                    "Device", "s", get: { .string(remote.view?.scene.device ?? "") }),
                // Whether that is the preferred device: preferred, unplugged (its jack is empty) or fallback.
                BusProperty("Route", "s", get: { .string(remote.view?.situation.route ?? "") }),
                // In µs: how close to what is being heard the device's queued frames can be replaced; 0 if they cannot.
                BusProperty(
                    "RewindMargin", "t",
                    get: { .uint64(UInt64(clamping: remote.view?.situation.rewindMargin?.wholeMicroseconds ?? 0)) }),
                BusProperty(
                    "DeviceAvailable", "b", get: { .bool(remote.view?.scene.session.servicesAvailable ?? false) }),
                BusProperty("Health", "as", get: { .strings(remote.view?.situation.complaints ?? []) }),
                // The due sound; empty if there is none.
                BusProperty("Sound", "s", get: { .string(remote.view?.scene.session.dueSound?.sound.rawValue ?? "") }),
                // Of each: name, length in seconds (0: unknown), whether its file can be read, why not, and its state.
                BusProperty("Sounds", "a(sdbss)", get: { remote.view?.sounds ?? .array(of: "(sdbss)", []) }),
                // The name and meaning of each, and whether it is asserted.
                BusProperty("Outputs", "a(ssb)", get: { remote.view?.outputs ?? .array(of: "(ssb)", []) }),
                // Whether the microphone is recorded; the file that is being written, empty if there is none; and whether a
                // signal mutes the microphone.
                BusProperty("Recording", "b", get: { .bool(remote.view?.scene.session.isRecording ?? false) }),
                BusProperty("RecordingFile", "s", get: { .string(remote.view?.scene.recordingFile ?? "") }),
                BusProperty(
                    "MicrophoneMuted", "b", get: { .bool(remote.view?.scene.session.isMicrophoneMuted ?? false) }),
                BusProperty("Gain", "d", get: { .double(remote.view?.gain ?? 0) }),
                BusProperty(
                    "Status", "s",
                    get: {
                        .string(remote.view.map { "\(StatusLine($0.situation))" } ?? "Reloading")
                    }),
                // In µs since 1970; 0 if none has been written yet. It changes every few seconds.
                BusProperty(
                    "LastCheckpoint", "t", change: .noSignal,
                    get: {
                        .uint64(UInt64(clamping: remote.view?.lastCheckpoint?.wholeMicroseconds ?? 0))
                    }),
                // For wiring a board: name, path of the chip, offset, and the electrical level, of each line held.
                BusProperty(
                    "Lines", "a(ssub)", change: .noSignal, get: { remote.view?.heldLines ?? .array(of: "(ssub)", []) }),
                // These contain the position, which changes all the time.
                BusProperty(
                    "Scene", "a{sv}", change: .noSignal,
                    get: { remote.view?.scene.snapshot().dictionary ?? .dictionary([:]) }),
                BusProperty(
                    "Why", "s", change: .noSignal,
                    get: {
                        .string(
                            remote.view.map { "\(Explanation($0.situation))" }
                                ?? "Another configuration is being applied.")
                    }),
            ],
            signals: [
                BusSignal(
                    "Event",
                    [
                        BusArgument("realtime_usec", "t"), BusArgument("monotonic_usec", "t"),
                        BusArgument("event", "s"),
                        BusArgument("scene", "a{sv}"),
                    ]),
                BusSignal("InterruptionBegan", [BusArgument("reason", "s"), BusArgument("signals", "as")]),
                BusSignal("InterruptionEnded", [BusArgument("shouldResume", "b")]),
                BusSignal("DuckBegan", [BusArgument("level", "d")]),
                BusSignal("DuckChanged", [BusArgument("level", "d")]),
                BusSignal("DuckEnded"),
                BusSignal("MediaServicesWereLost"),
                BusSignal("MediaServicesWereReset"),
                BusSignal("ConfigurationChanged"),
                BusSignal("RouteChanged", [BusArgument("reason", "s")]),
                BusSignal("InputMuteStateChanged", [BusArgument("muted", "b")]),
                // The id is the announcement's, as answered by Announce; 0 for a cue.
                BusSignal("SoundBegan", [BusArgument("name", "s"), BusArgument("id", "t")]),
                BusSignal("SoundEnded", [BusArgument("name", "s"), BusArgument("id", "t")]),
                BusSignal("SoundCut", [BusArgument("name", "s"), BusArgument("id", "t")]),
                BusSignal("SoundExpired", [BusArgument("name", "s"), BusArgument("id", "t")]),
            ])
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

    /// The name and state of each signal: `deasserted`, `inForce`, `suppressed` (as an alert) or `dropped` (as stuck).
    var signalStates: BusValue {
        let held = scene.session.saved.held
        return .array(
            of: "(ss)",
            scene.session.policy.signals.map { signal in
                let standing = held.first { $0.signal == signal.id }?.standing
                return .structure([.string(signal.id.rawValue), .string(standing?.rawValue ?? "deasserted")])
            })
    }

    /// The state of each: `due`, `waiting` (as an announcement) or `idle`.
    var sounds: BusValue {
        let session = scene.session
        let (due, waiting) = (session.dueSound?.sound, session.waiting)
        let unreadable = session.unreadableSounds
        return .array(
            of: "(sdbss)",
            session.policy.sounds.map(\.id).map { sound in
                let length = (situation.soundLengths[sound] ?? .zero) / .seconds(1)
                let state = sound == due ? "due" : waiting.contains(sound) ? "waiting" : "idle"
                let problem = situation.soundProblems[sound] ?? ""
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

    /// `signal phone-call`, `/dev/gpiochip0`, 17, whether its level is high.
    var heldLines: BusValue {
        .array(
            of: "(ssub)",
            lines().map { line in
                .structure([
                    .string(line.title), .string(line.chip), .uint32(UInt32(clamping: line.offset)), .bool(line.level),
                ])
            })
    }

    /// In decibels: 0 at full level, −120 when silent.
    var gain: Double {
        if case .play(let level) = scene.session.directive { level.decibels } else { Level.mute.decibels }
    }
}

extension Snapshot {
    /// As a dictionary of the bus, which has no null: such keys are missing.
    var dictionary: BusValue {
        .dictionary(
            busFields.reduce(into: [:]) { values, field in
                switch field.value {
                case .text(let text): values[field.key] = .string(text)
                case .texts(let texts): values[field.key] = .strings(texts)
                case .flag(let flag): values[field.key] = .bool(flag)
                case .number(let number): values[field.key] = .double(number)
                case .seconds(let time): values[field.key] = .double(time / .seconds(1))
                case .nothing: break
                }
            })
    }
}

extension Report {
    /// Whether followers of the session receive it: not when a command became audible, nor a preference, which alone changes
    /// nothing that they see, and nothing twice.
    var isTold: Bool {
        switch happening {
        case .preferenceChanged: false
        case .noticed(.effect), .noticed(.soundHeard), .noticed(.deviceLost): false
        case .noticed(.routeLost), .noticed(.routeBack), .noticed(.routeFound): false
        default: true
        }
    }
}

extension SessionNotification {
    /// As a signal of `Session1`.
    func signal(in scene: Scene) -> (name: String, values: [BusValue]) {
        switch self {
        case .began(let reason):
            ("InterruptionBegan", [.string(reason.rawValue), .strings(scene.session.blocking.map(\.rawValue))])
        case .ended(let options): ("InterruptionEnded", [.bool(options.contains(.shouldResume))])
        case .duckBegan(let level): ("DuckBegan", [.double(level.decibels)])
        case .duckChanged(let level): ("DuckChanged", [.double(level.decibels)])
        case .duckEnded: ("DuckEnded", [])
        case .mediaServicesWereLost: ("MediaServicesWereLost", [])
        case .mediaServicesWereReset: ("MediaServicesWereReset", [])
        case .configurationChanged: ("ConfigurationChanged", [])
        case .routeChanged(let reason): ("RouteChanged", [.string(reason.rawValue)])
        case .soundBegan(let sound, let id): ("SoundBegan", [.string(sound.rawValue), .uint64(id)])
        case .soundEnded(let sound, let id): ("SoundEnded", [.string(sound.rawValue), .uint64(id)])
        case .soundCut(let sound, let id, _): ("SoundCut", [.string(sound.rawValue), .uint64(id)])
        case .soundExpired(let sound, let id): ("SoundExpired", [.string(sound.rawValue), .uint64(id)])
        }
    }
}

extension Answer {
    /// The reason of a failure; empty if there is none.
    var reason: String { if case .commandFailed(let reason) = self { reason } else { "" } }
}
