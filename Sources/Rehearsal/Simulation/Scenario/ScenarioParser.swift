import ALSA
import AudioSession
import Configuration
import Playback
import Signals
import Spelling
import Supervisor
import Time
import Vocabulary

/// Parses a scenario, in which each line has a time, an event and its arguments.
struct ScenarioParser {
    let file: String
    let signals: [SignalID]
    /// The signals with a changeover contact.
    let changeovers: Set<SignalID>
    let buttons: [Button]
    let inputs: [InputID]
    let players: [PlayerID]
    private var mistakes: [ScenarioError.Mistake] = []
    private var entries: [Scenario.Entry] = []
    private var beforeBoot: [Scenario.Entry] = []
    private var isPowered = true
    /// The time at which the system wakes, or last woke, or nil if it has not been asleep since the last boot.
    private var wakes: Duration?

    private init(file: String, _ configuration: Configuration) {
        self.file = file
        signals = configuration.session.signals.map(\.id)
        changeovers = Set(configuration.lines.filter(\.value.hasComplement).keys)
        buttons = configuration.buttons
        inputs = configuration.session.inputs.map(\.id)
        players = configuration.session.players
    }

    /// Parses a scenario.
    /// - Parameters:
    ///   - file: the name under which mistakes are reported.
    ///   - configuration: the configuration that the scenario rehearses, whose names it can use.
    static func parse(
        _ text: String, file: String, for configuration: Configuration
    ) throws(ScenarioError) -> Scenario {
        var parser = ScenarioParser(file: file, configuration)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            parser.read(line, number: index + 1)
        }
        guard parser.mistakes.isEmpty else { throw ScenarioError(mistakes: parser.mistakes) }
        return Scenario(
            name: file.split(separator: "/").last.map(String.init) ?? file, entries: parser.entries,
            beforeBoot: parser.beforeBoot)
    }

    private mutating func read(_ line: Substring, number: Int) {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        // A name may begin with the character, such as that of the track `#1 hit.ogg`.
        if let comment = words.firstIndex(of: "#") { words.removeSubrange(comment...) }
        guard let first = words.first, !first.hasPrefix("#") else { return }
        do throws(Complaint) {
            guard let time = TimeSpan.parse(first) else {
                throw Complaint("‘\(first)’ is not a time: write 2s, 5.25s, 300ms or 1min30s")
            }
            guard time <= ScenarioParser.longest else {
                throw Complaint("a scenario can last at most 31 days")
            }
            let event = try event(Array(words.dropFirst()))
            try checkOrder(time, event)
            // Every run begins with a boot. An explicit boot at 0 s makes the events before it the initial conditions.
            if event == .boot, time == .zero, entries.allSatisfy(\.changesOnlyWorld) {
                beforeBoot += entries
                entries = []
                return
            }
            let text = words.dropFirst().joined(separator: " ")
            entries.append(Scenario.Entry(time: time, event: event, text: text, line: number))
        } catch {
            mistakes.append(ScenarioError.Mistake(file: file, line: number, what: error.what))
        }
    }

    private mutating func checkOrder(_ time: Duration, _ event: ScenarioEvent) throws(Complaint) {
        if let last = entries.last {
            guard last.event != .end else { throw Complaint("the scenario ended on line \(last.line)") }
            guard time >= last.time else {
                throw Complaint("the time goes backwards: line \(last.line) was already at \(Seconds(last.time))s")
            }
        }
        // An event at the instant at which the system wakes is handled before the system wakes.
        let isAsleep = wakes.map { time <= $0 } ?? false
        switch event {
        case .powerCut:
            guard isPowered else { throw Complaint("the power is already off: a boot must come first") }
            isPowered = false
            wakes = nil
        case .asleep(let length):
            guard isPowered else { throw Complaint("the power is off: the system cannot be suspended") }
            guard !isAsleep else { throw Complaint("the system is already asleep, until \(Seconds(wakes ?? time))s") }
            wakes = time + length
        case .event(.command) where isAsleep, .relative where isAsleep, .announce where isAsleep,
            .button where isAsleep:
            throw Complaint("the system is asleep until \(Seconds(wakes ?? time))s and cannot take a command")
        case .arrival where isAsleep, .output where isAsleep, .event(.player) where isAsleep,
            .event(.playerFound) where isAsleep, .playerRefuses where isAsleep:
            throw Complaint(
                "the system is asleep until \(Seconds(wakes ?? time))s, and inputs, the output and players do not change "
                    + "meanwhile")
        case .boot:
            guard !isPowered || (time == .zero && entries.allSatisfy(\.changesOnlyWorld)) else {
                throw Complaint("the system is already running: a power-cut must come first")
            }
            isPowered = true
        default: break
        }
    }

    private func event(_ words: [String]) throws(Complaint) -> ScenarioEvent {
        let arguments = Array(words.dropFirst())
        guard let first = words.first else {
            throw Complaint("there is no event after the time: write one of \(ScenarioParser.events.alternatives)")
        }
        guard let word = ScenarioWord(rawValue: first) else {
            throw .unknown("event", first, among: ScenarioParser.events)
        }
        switch word {
        case .assert: return .event(.edge(Edge(try signal(arguments), asserted: true)))
        case .deassert: return .event(.edge(Edge(try signal(arguments), asserted: false)))
        case .line: return try line(arguments, .main)
        case .complement: return try line(arguments, .complement)
        case .button: return try button(arguments)
        case .command: return try command(arguments)
        case .device: return try choice(arguments, word, ["lost": .mediaServicesLost, "reset": .mediaServicesReset])
        case .configuration: return try configuration(arguments)
        case .route: return try choice(arguments, word, ["lost": .routeLost, "back": .routeBack])
        case .capture: return try choice(arguments, word, ["lost": .captureLost, "back": .captureReturned])
        case .input: return try input(arguments)
        case .output: return try output(arguments)
        case .player: return try player(arguments)
        case .asleep: return try asleep(arguments)
        case .powerCut: return try alone(.powerCut, word, arguments)
        case .boot: return try alone(.boot, word, arguments)
        case .end: return try alone(.end, word, arguments)
        }
    }

    private static let longest = Duration.seconds(31 * 86_400)

    private static let events = ScenarioWord.allCases.map(\.rawValue)

    private func signal(_ arguments: [String]) throws(Complaint) -> SignalID {
        guard arguments.count == 1 else { throw Complaint("name one signal: \(signals.map(\.rawValue).alternatives)") }
        return try known(arguments[0])
    }

    private func known(_ name: String) throws(Complaint) -> SignalID {
        guard signals.contains(SignalID(name)) else { throw .unknown("signal", name, among: signals.map(\.rawValue)) }
        return SignalID(name)
    }

    private func line(_ arguments: [String], _ contact: Contact) throws(Complaint) -> ScenarioEvent {
        let levels: [String: Bool?] = ["0": false, "1": true, "lost": nil]
        guard arguments.count == 2, let level = levels[arguments[1]] else {
            throw Complaint(
                "write a signal\(contact == .main ? " or a button" : "") and its electrical level: \(contact.word.rawValue) phone-call 1 (or 0, or lost)"
            )
        }
        if contact == .main, !buttons.isEmpty, !signals.contains(SignalID(arguments[0])) {
            let names = buttons.map(\.name)
            guard names.contains(arguments[0]) else {
                throw .unknown("signal or button", arguments[0], among: signals.map(\.rawValue) + names)
            }
            return .buttonLine(arguments[0], level: level)
        }
        let signal = try known(arguments[0])
        guard contact == .main || changeovers.contains(signal) else {
            throw Complaint("\(signal) has no second contact: write Complement= in [Signal \(signal)]")
        }
        return .line(signal, contact, level: level)
    }

    private func input(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        guard arguments.count == 2, let arrives = ["0": false, "1": true][arguments[1]] else {
            throw Complaint("write an input, and 1 while audio arrives or 0: input airplay 1")
        }
        let names = inputs.map(\.rawValue)
        guard names.contains(arguments[0]) else { throw .unknown("input", arguments[0], among: names) }
        return .arrival(InputID(arguments[0]), arrives)
    }

    private func output(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        let states: [DeviceAudibility] = [.audible, .muted(.sink), .quiet(.sink)]
        guard arguments.count == 1, let state = states.first(where: { $0.word == arguments[0] }) else {
            throw Complaint("write whether the output can be heard (\(states.map(\.word).alternatives)): output muted")
        }
        return .output(state)
    }

    private func player(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        let report = PlayerReport(rawValue: arguments.last ?? "")
        let event: ((PlayerID) -> ScenarioEvent)? =
            switch (arguments.count, arguments.dropFirst().first, report) {
            case (2, "refuses"?, _): { .playerRefuses($0) }
            case (2, _, let report?): { .event(.player($0, report)) }
            case (3, "found"?, let report?): { .event(.playerFound($0, report)) }
            default: nil
            }
        guard let event else {
            let reports = PlayerReport.allCases.map(\.rawValue).alternatives
            throw Complaint(
                "write a player and what it reports (\(reports)), found and how it is found, or refuses: player mpd playing"
            )
        }
        let names = players.map(\.rawValue)
        guard names.contains(arguments[0]) else { throw .unknown("player", arguments[0], among: names) }
        return event(PlayerID(arguments[0]))
    }

    private func configuration(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        guard arguments.count == 2, let rate = Int(arguments[0]), let channels = Int(arguments[1]),
            (8000...384_000).contains(rate), (1...8).contains(channels)
        else {
            throw Complaint("write the device's rate, 8000 to 384000 Hz, and 1 to 8 channels: configuration 44100 2")
        }
        return .configuration(StreamFormat(rate: rate, channels: channels))
    }

    private func asleep(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        guard !arguments.isEmpty, let length = TimeSpan.parse(arguments.joined(separator: " ")),
            length > .seconds(1), length <= ScenarioParser.longest
        else {
            throw Complaint("write how long the system sleeps, more than 1s and at most 31 days: asleep 10min")
        }
        return .asleep(length)
    }

    private func choice(
        _ arguments: [String], _ word: ScenarioWord, _ choices: [String: Event]
    ) throws(Complaint) -> ScenarioEvent {
        guard arguments.count == 1, let event = choices[arguments[0]] else {
            throw Complaint("write \(choices.keys.sorted().map { "\(word.rawValue) \($0)" }.alternatives)")
        }
        return .event(event)
    }

    private func alone(
        _ event: ScenarioEvent, _ word: ScenarioWord, _ arguments: [String]
    ) throws(Complaint) -> ScenarioEvent {
        guard arguments.isEmpty else { throw Complaint("\(word.rawValue) takes no arguments") }
        return event
    }
}

extension Scenario.Entry {
    /// True if the event changes only the world, so that it can come before the first boot.
    fileprivate var changesOnlyWorld: Bool {
        switch event {
        case .event(.edge), .event(.mediaServicesLost), .event(.mediaServicesReset), .event(.captureLost),
            .event(.captureReturned), .event(.player), .event(.playerFound), .playerRefuses, .line, .buttonLine,
            .arrival, .output, .configuration:
            true
        case .event, .relative, .announce, .button, .asleep, .powerCut, .boot, .end: false
        }
    }
}
