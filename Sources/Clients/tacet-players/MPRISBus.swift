import AudioSession
import Clocks
import Glibc
import Players
import Spelling
import Systemd
import Threads

/// The players with the MPRIS interface on one message bus. It never waits. Use it on one thread only.
final class MPRISBus {
    /// A program whose names match the pattern of a player.
    private struct Program {
        let player: String
        var names: Set<String>
        var process: pid_t?
        var status: Sighting.Status?
        var identifiers: [String] = []
        /// The object path of the current track, which a seek must repeat.
        var track: String?
        var isKnown = false
        /// The number of questions in a row that it has not answered.
        var failures = 0
        /// True if the answer with all properties of the program was too large. It is then asked only for its status.
        var hasOnlyStatus = false

        var sighting: Sighting? { status.map { Sighting($0, identifiers: identifiers) } }
    }

    private enum Call {
        case watch
        case own, watchProgram, forgetProgram
        case names
        case owner(of: String)
        case process(of: String)
        case state(of: String)
        case look(String, Int)
        case order(String, Int)
        case disconnect(String)
    }

    /// The name of the connection, to which the policy of the bus refers so that other programs cannot send signals to it.
    static let ownName = "org.tacet.Players1"

    private static let driver = BusSender.driver
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let player = "org.mpris.MediaPlayer2.Player"
    private static let path = "/org/mpris/MediaPlayer2"
    /// The interface of shairport-sync, which has one connection to the bus for both of its interfaces.
    private static let receiver = "org.gnome.ShairportSync"
    private static let receiverPath = "/org/gnome/ShairportSync"
    private static let receiverName = PlayerPattern.prefix + "ShairportSync"
    private static let answerTime = Duration.seconds(2)
    /// The time after which a program that has not reported its state is asked again.
    private static let retryTime = Duration.seconds(5)
    /// The number of questions that a program may leave unanswered before it is a problem, and that of attempts to
    /// connect.
    private static let mostFailures = 3
    private static let mostAttempts = 6
    /// The maximum number of programs, because any user of the bus can take such names.
    private static let mostPrograms = 64

    /// A text that distinguishes the bus from others.
    private let name: String
    private let connect: () throws(SystemdError) -> BusClient
    private var targets: [(player: String, pattern: PlayerPattern)] = []
    private var client: BusClient?
    private var calls: [UInt64: (call: Call, deadline: Duration)] = [:]
    private var programs: [String: Program] = [:]
    private var retry = Duration.zero
    private var backoff = Backoff(from: .milliseconds(200), to: .seconds(10))
    private var nextQuestion: Duration?
    /// The number of failed attempts to connect since the bus last answered.
    private var failures = 0
    private var hasListed = false
    /// The number of signals of each program that have arrived and were not read. A signal that is too large stays unread.
    private var unread: [String: Int] = [:]
    /// What has happened since the bridge last asked.
    private var inputs: [PlayersInput] = []

    init(_ name: String, _ connect: @escaping () throws(SystemdError) -> BusClient) {
        self.name = name
        self.connect = connect
    }

    /// Looks for these players, and no others.
    func use(_ targets: [(player: String, pattern: PlayerPattern)]) {
        self.targets = targets
        for (owner, program) in programs {
            let isWanted = targets.contains { target in
                target.player == program.player && program.names.contains { target.pattern.matches($0) }
            }
            if !isWanted { remove(owner) }
        }
        hasListed = false
        if client == nil { retry = .zero } else { start(.names) }
    }

    /// True if all programs that were running at the start are known, or if the bus cannot be reached.
    var isSurveyed: Bool {
        if client == nil { return failures > 0 }
        return hasListed
            && !calls.values.contains {
                switch $0.call {
                case .names, .owner, .process, .state: true
                case .watch, .own, .watchProgram, .forgetProgram, .look, .order, .disconnect: false
                }
            }
    }

    var readiness: pollfd { client?.readiness ?? pollfd(fd: -1, events: 0, revents: 0) }

    var deadline: Duration? {
        if targets.isEmpty { return nil }
        let own = client == nil ? retry : client?.deadline
        return ([own, nextQuestion] + calls.values.map(\.deadline)).compactMap { $0 }.min()
    }

    /// Handles everything that has arrived, and returns what follows from it.
    func takeInputs(at now: Duration) -> [PlayersInput] {
        do throws(SystemdError) { try work(at: now) } catch { disconnect(error, at: now) }
        defer { inputs = [] }
        return inputs
    }

    private func work(at now: Duration) throws(SystemdError) {
        guard !targets.isEmpty else { return }
        if client == nil {
            guard now >= retry else { return }
            client = try connect()
            start(.own, [.string(Self.ownName), .uint32(0)])
            start(
                .watch,
                [
                    .string(
                        "type='signal',sender='\(Self.driver)',interface='\(Self.driver)',member='NameOwnerChanged',arg0namespace='org.mpris.MediaPlayer2'"
                    )
                ])
            start(.names)
        }
        while let event = try client?.next(where: { [self] in expects($0) }) {
            switch event {
            case .signal(let signal): take(signal)
            case .answer(let number, let answer):
                if let call = calls.removeValue(forKey: number)?.call { try take(answer, to: call, at: now) }
            }
        }
        for (owner, count) in unread where count > 0 && programs[owner] != nil { askForState(.state(of: owner), owner) }
        unread = [:]
        for (number, call) in calls where call.deadline <= now {
            calls[number] = nil
            try take(.failure(BusError("org.freedesktop.DBus.Error.NoReply", "no answer")), to: call.call, at: now)
        }
        if let next = nextQuestion, next <= now {
            nextQuestion = nil
            for (owner, program) in programs where !program.isKnown { ask(owner) }
        }
    }

    private func disconnect(_ error: SystemdError, at now: Duration) {
        failures += 1
        // A session that has not begun has no bus.
        let isAbsent = error.code == ENOENT || error.code == ECONNREFUSED
        if !isAbsent, failures == Self.mostAttempts {
            PlayersJournal.write(.unreachable(name, player: nil, reason: "\(error)"))
        }
        report(problem: isAbsent || failures < Self.mostAttempts ? nil : "\(error)")
        client = nil
        calls = [:]
        nextQuestion = nil
        hasListed = false
        retry = now + backoff.next()
        for owner in programs.keys { remove(owner) }
    }

    /// Reports the problem of the bus for all players, or that there is none.
    private func report(problem: String?) {
        for player in Set(targets.map(\.player)) { inputs.append(.problem(player, at: name, problem)) }
    }

    /// The rule for the signals of a program. Another program cannot send such signals.
    private static func rule(for owner: String) -> BusValue {
        .string(
            "type='signal',sender='\(owner)',path='\(path)',interface='\(properties)',member='PropertiesChanged',arg0='\(player)'"
        )
    }

    // MARK: Calls

    private func start(_ call: Call, _ arguments: [BusValue] = []) {
        let (member, interface, path, destination): (String, String, String, String) =
            switch call {
            case .own: ("RequestName", Self.driver, "/org/freedesktop/DBus", Self.driver)
            case .watch, .watchProgram: ("AddMatch", Self.driver, "/org/freedesktop/DBus", Self.driver)
            case .forgetProgram: ("RemoveMatch", Self.driver, "/org/freedesktop/DBus", Self.driver)
            case .names: ("ListNames", Self.driver, "/org/freedesktop/DBus", Self.driver)
            case .owner: ("GetNameOwner", Self.driver, "/org/freedesktop/DBus", Self.driver)
            case .process: ("GetConnectionUnixProcessID", Self.driver, "/org/freedesktop/DBus", Self.driver)
            case .state(let owner), .look(let owner, _):
                (arguments.count == 1 ? "GetAll" : "Get", Self.properties, Self.path, owner)
            case .order(let owner, _): ("", Self.player, Self.path, owner)
            case .disconnect(let owner): ("DropSession", Self.receiver, Self.receiverPath, owner)
            }
        send(call, member, interface, path, destination, arguments)
    }

    private func send(
        _ call: Call, _ member: String, _ interface: String, _ path: String, _ destination: String,
        _ arguments: [BusValue]
    ) {
        let now = SystemClock.monotonic.now
        do throws(SystemdError) {
            guard let number = try client?.start(member, of: interface, at: path, on: destination, arguments) else {
                return
            }
            calls[number] = (call, now + Self.answerTime)
        } catch { disconnect(error, at: now) }
    }

    private func ask(_ owner: String) {
        start(.process(of: owner), [.string(owner)])
        askForState(.state(of: owner), owner)
    }

    private func askForState(_ call: Call, _ owner: String) {
        let hasOnlyStatus = programs[owner]?.hasOnlyStatus ?? false
        start(call, [.string(Self.player)] + (hasOnlyStatus ? [.string("PlaybackStatus")] : []))
    }

    /// Asks again, but only for the status, if the properties of a program are too large.
    ///
    /// - Returns: false if they are not.
    private func asksAgain(_ call: Call, _ owner: String, after error: BusError) -> Bool {
        guard error.name == BusError.failed("").name, programs[owner]?.hasOnlyStatus == false else { return false }
        programs[owner]?.hasOnlyStatus = true
        askForState(call, owner)
        return true
    }

    private func take(
        _ answer: Result<[BusValue], BusError>, to call: Call, at now: Duration
    ) throws(SystemdError) {
        switch (call, answer) {
        // Without the name, everything else works.
        case (.watch, .success), (.own, _), (.watchProgram, .success), (.forgetProgram, _): break
        case (.watch, .failure), (.watchProgram, .failure), (.names, .failure):
            throw SystemdError("look for players on the bus", code: EIO)
        case (.names, .success(let values)):
            if failures >= Self.mostAttempts { PlayersJournal.write(.reachable(name, player: nil)) }
            failures = 0
            report(problem: nil)
            hasListed = true
            backoff.restart()
            for name in (values.first?.elements ?? []).compactMap(\.text) where target(of: name) != nil {
                start(.owner(of: name), [.string(name)])
            }
        case (.owner(let name), .success(let values)): if let owner = values.first?.text { add(name, owner) }
        case (.process(let owner), .success(let values)):
            guard case .uint32(let number)? = values.first else { return }
            programs[owner]?.process = pid_t(bitPattern: number)
            introduce(owner)
        case (.state(let owner), .success(let values)):
            noteFailure(of: owner, nil)
            note(answer: values, of: owner)
            introduce(owner)
        case (.owner, .failure): break
        case (.process, .failure): nextQuestion = nextQuestion ?? now + Self.retryTime
        case (.state(let owner), .failure(let error)):
            guard !asksAgain(call, owner, after: error) else { break }
            noteFailure(of: owner, error)
            nextQuestion = nextQuestion ?? now + Self.retryTime
        case (.look(let owner, let number), .success(let values)):
            guard programs[owner]?.isKnown == true else { return }
            note(answer: values, of: owner)
            var sighting = programs[owner]?.sighting
            sighting?.position = Self.position(in: values)
            inputs.append(.looked(instance(owner), number, sighting))
        case (.look(let owner, let number), .failure(let error)):
            if !asksAgain(call, owner, after: error) { inputs.append(.looked(instance(owner), number, nil)) }
        // Versions before 4.1 do not have the method.
        case (.disconnect, _): break
        case (.order(let owner, let number), let answer):
            let refusal: String? = if case .failure(let error) = answer { error.message } else { nil }
            if number != 0 { inputs.append(.answered(instance(owner), number, refusal: refusal)) }
        }
    }

    /// Counts the questions that a program has not answered, and reports a problem if there are too many.
    /// - Parameter error: nil if it has answered.
    private func noteFailure(of owner: String, _ error: BusError?) {
        guard let program = programs[owner], error != nil || program.failures > 0 else { return }
        let failures = error == nil ? 0 : program.failures + 1
        programs[owner]?.failures = failures
        let title = program.names.min() ?? owner
        let problem = error.map { "\(title) does not tell its state: \($0.message)" }
        guard failures == 0 || failures >= Self.mostFailures else { return }
        inputs.append(.problem(program.player, at: instance(owner).place, problem))
    }

    /// Returns the position in an answer with all properties, or nil if there is none.
    private static func position(in values: [BusValue]) -> Duration? {
        guard case .int64(let microseconds)? = values.first?.members["Position"] else { return nil }
        return .microseconds(microseconds)
    }

    // MARK: Signals

    private func expects(_ head: BusEvent.Head) -> Bool {
        switch (head.interface, head.member) {
        case (Self.driver, "NameOwnerChanged"):
            head.signature == "sss" && BusSender.isGenuine(head.sender, from: Self.driver, ownedBy: nil)
        case (Self.properties, "PropertiesChanged"):
            head.signature == "sa{sv}as" && head.path == Self.path && note(signalOf: head.sender)
        default: false
        }
    }

    /// Counts a signal, which may prove to be too large.
    ///
    /// - Returns: false if the program does not matter.
    private func note(signalOf owner: String) -> Bool {
        guard programs[owner] != nil else { return false }
        unread[owner, default: 0] += 1
        return true
    }

    private func take(_ signal: BusEvent.Signal) {
        if signal.interface == Self.driver {
            let texts = signal.values.compactMap(\.text)
            guard texts.count == 3, target(of: texts[0]) != nil else { return }
            if !texts[1].isEmpty { lose(texts[0], texts[1]) }
            if !texts[2].isEmpty { add(texts[0], texts[2]) }
            return
        }
        unread[signal.sender, default: 0] -= 1
        guard signal.values.first?.text == Self.player else { return }
        let changed = signal.values[1].members
        note(changed, of: signal.sender)
        let invalidated = signal.values[2].elements.compactMap(\.text)
        if invalidated.contains("PlaybackStatus") || invalidated.contains("Metadata") {
            askForState(.state(of: signal.sender), signal.sender)
        }
        guard changed["PlaybackStatus"] != nil || changed["Metadata"] != nil else { return }
        report(signal.sender)
    }

    private func report(_ owner: String) {
        guard let program = programs[owner], program.isKnown, let sighting = program.sighting else { return }
        inputs.append(.seen(instance(owner), sighting))
    }

    /// Records all properties of a program, or only its status. The track is then unknown.
    private func note(answer values: [BusValue], of owner: String) {
        guard case .variant(.string(let status))? = values.first else {
            return note(values.first?.members ?? [:], of: owner)
        }
        programs[owner]?.status = Sighting.Status(mpris: status)
        programs[owner]?.track = nil
        programs[owner]?.identifiers = []
    }

    /// Records the properties of a program.
    private func note(_ properties: [String: BusValue], of owner: String) {
        if let status = properties["PlaybackStatus"]?.text { programs[owner]?.status = Sighting.Status(mpris: status) }
        guard let metadata = properties["Metadata"]?.members else { return }
        let track: String? =
            switch metadata["mpris:trackid"] {
            case .objectPath(let path)?: path
            case .string(let text)?: text
            default: nil
            }
        programs[owner]?.track = track
        programs[owner]?.identifiers = [track ?? "", metadata["xesam:url"]?.text ?? ""]
    }

    // MARK: Programs

    private func target(of name: String) -> String? { targets.first { $0.pattern.matches(name) }?.player }

    private func instance(_ owner: String) -> PlayerInstance {
        PlayerInstance(player: programs[owner]?.player ?? "", place: "\(name) \(owner)")
    }

    private func add(_ name: String, _ owner: String) {
        guard let player = target(of: name) else { return }
        if programs[owner] != nil {
            programs[owner]?.names.insert(name)
        } else if programs.count < Self.mostPrograms {
            programs[owner] = Program(player: player, names: [name])
            start(.watchProgram, [Self.rule(for: owner)])
            ask(owner)
        }
    }

    private func lose(_ name: String, _ owner: String) {
        programs[owner]?.names.remove(name)
        if programs[owner]?.names.isEmpty == true { remove(owner) }
    }

    private func remove(_ owner: String) {
        guard let program = programs[owner] else { return }
        if program.isKnown { inputs.append(.vanished(instance(owner))) }
        inputs.append(.problem(program.player, at: instance(owner).place, nil))
        programs[owner] = nil
        if client != nil { start(.forgetProgram, [Self.rule(for: owner)]) }
    }

    /// Reports a program as soon as its process and its state are known.
    private func introduce(_ owner: String) {
        guard let program = programs[owner], let process = program.process, let sighting = program.sighting else {
            return
        }
        guard !program.isKnown else { return report(owner) }
        programs[owner]?.isKnown = true
        inputs.append(
            .appeared(instance(owner), PlayerIdentity(process: process, connection: "\(name) \(owner)"), sighting))
    }

    // MARK: Orders

    private func owner(of instance: PlayerInstance) -> String? {
        programs.keys.first { self.instance($0) == instance }
    }

    func order(_ command: PlayerCommand, to instance: PlayerInstance, _ number: Int) {
        guard let owner = owner(of: instance) else { return }
        let (member, arguments): (String, [BusValue])
        switch command {
        case .play: (member, arguments) = ("Play", [])
        case .pause: (member, arguments) = ("Pause", [])
        case .next: (member, arguments) = ("Next", [])
        case .previous: (member, arguments) = ("Previous", [])
        case .seek(let position):
            guard let track = programs[owner]?.track, track.hasPrefix("/") else { return }
            let microseconds = Int64(position / .microseconds(1))
            (member, arguments) = ("SetPosition", [.objectPath(track), .int64(microseconds)])
        }
        send(.order(owner, number), member, Self.player, Self.path, owner, arguments)
    }

    /// Ends the session of the device that sends to shairport-sync. Other programs do not have such a method.
    func disconnect(_ instance: PlayerInstance) {
        guard let owner = owner(of: instance),
            programs[owner]?.names.contains(where: { $0 == Self.receiverName || $0.hasPrefix(Self.receiverName + ".") })
                == true
        else { return }
        start(.disconnect(owner))
    }

    func look(at instance: PlayerInstance, _ number: Int) {
        guard let owner = owner(of: instance) else { return }
        askForState(.look(owner, number), owner)
    }
}

extension Sighting.Status {
    /// - Parameter text: the value of `PlaybackStatus`.
    /// - Returns: nil for a value that the specification does not contain.
    init?(mpris text: String) {
        switch text {
        case "Playing": self = .playing
        case "Paused": self = .paused
        case "Stopped": self = .stopped
        default: return nil
        }
    }
}
