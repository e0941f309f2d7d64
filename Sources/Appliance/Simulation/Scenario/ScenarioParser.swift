import ALSA
import AudioSession
import Configuration
import Playback

/// Reads a scenario: a line is a time, an event and its arguments.
struct ScenarioParser {
    let file: String
    let signals: [SignalID]
    private var mistakes: [ScenarioError.Mistake] = []
    private var entries: [Scenario.Entry] = []
    private var beforeBoot: [Scenario.Entry] = []
    private var isPowered = true
    /// When the system wakes; nil unless it was asleep since the last boot.
    private var wakes: Duration?

    private init(file: String, signals: [SignalID]) {
        self.file = file
        self.signals = signals
    }

    /// - Parameters:
    ///   - file: the name that mistakes are reported under.
    ///   - signals: those that it may speak of.
    static func parse(_ text: String, file: String, signals: [SignalID]) throws(ScenarioError) -> Scenario {
        var parser = ScenarioParser(file: file, signals: signals)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            parser.read(line, number: index + 1)
        }
        guard parser.mistakes.isEmpty else { throw ScenarioError(mistakes: parser.mistakes) }
        return Scenario(
            name: file.split(separator: "/").last.map(String.init) ?? file, entries: parser.entries,
            beforeBoot: parser.beforeBoot)
    }

    private mutating func read(_ line: Substring, number: Int) {
        let code = line.prefix { $0 != "#" }
        let words = code.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return }
        do throws(Complaint) {
            guard let time = TimeSpan.parse(first) else {
                throw Complaint("‘\(first)’ is no time: write 2s, 5.25s, 300ms or 1min30s")
            }
            guard time <= ScenarioParser.longest else {
                throw Complaint("a scenario may last for 31 days at most")
            }
            let event = try event(Array(words.dropFirst()))
            try checkOrder(time, event)
            // The run begins with a boot anyway: this one says what was so before it.
            if event == .boot, time == .zero, entries.allSatisfy(\.isOfTheWorld) {
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
            guard last.event != .end else { throw Complaint("the scenario ended in line \(last.line)") }
            guard time >= last.time else {
                throw Complaint("the time goes back: line \(last.line) was at \(Seconds(last.time))s already")
            }
        }
        // What happens at the instant of waking comes before it.
        let isAsleep = wakes.map { time <= $0 } ?? false
        switch event {
        case .powerCut:
            guard isPowered else { throw Complaint("the power is off already: a boot has to come first") }
            isPowered = false
            wakes = nil
        case .asleep(let length):
            guard isPowered else { throw Complaint("the power is off: nothing can be suspended") }
            guard !isAsleep else { throw Complaint("the system is asleep already, until \(Seconds(wakes ?? time))s") }
            wakes = time + length
        case .command where isAsleep:
            throw Complaint("nothing runs until the system wakes at \(Seconds(wakes ?? time))s: no command can be sent")
        case .boot:
            guard !isPowered || (time == .zero && entries.allSatisfy(\.isOfTheWorld)) else {
                throw Complaint("it is running already: a power-cut has to come first")
            }
            isPowered = true
        default: break
        }
    }

    private func event(_ words: [String]) throws(Complaint) -> ScenarioEvent {
        let arguments = Array(words.dropFirst())
        switch words.first {
        case "assert": return .edge(Edge(try signal(arguments), asserted: true))
        case "deassert": return .edge(Edge(try signal(arguments), asserted: false))
        case "line": return try line(arguments)
        case "command": return .command(try command(arguments))
        case "device": return try choice(arguments, "device", ["lost": .deviceLost, "reset": .deviceReset])
        case "configuration": return try configuration(arguments)
        case "route": return try choice(arguments, "route", ["lost": .routeLost, "back": .routeBack])
        case "asleep": return try asleep(arguments)
        case "power-cut": return try alone(.powerCut, "power-cut", arguments)
        case "boot": return try alone(.boot, "boot", arguments)
        case "end": return try alone(.end, "end", arguments)
        case let other?: throw .unknown("event", other, among: ScenarioParser.events)
        case nil:
            throw Complaint("there is no event after the time: write one of \(ScenarioParser.events.alternatives)")
        }
    }

    private static let longest = Duration.seconds(31 * 86_400)

    private static let events = [
        "assert", "deassert", "line", "command", "device", "configuration", "route", "asleep", "power-cut", "boot",
        "end",
    ]

    private func signal(_ arguments: [String]) throws(Complaint) -> SignalID {
        guard arguments.count == 1 else { throw Complaint("name one signal: \(signals.map(\.rawValue).alternatives)") }
        return try known(arguments[0])
    }

    private func known(_ name: String) throws(Complaint) -> SignalID {
        guard signals.contains(SignalID(name)) else { throw .unknown("signal", name, among: signals.map(\.rawValue)) }
        return SignalID(name)
    }

    private func line(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        let levels: [String: Bool?] = ["0": false, "1": true, "lost": nil]
        guard arguments.count == 2, let level = levels[arguments[1]] else {
            throw Complaint("write a signal and its electrical level: line phone-call 1 (or 0, or lost)")
        }
        return .line(try known(arguments[0]), level: level)
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
            throw Complaint("write how long the system is suspended, more than 1s and 31 days at most: asleep 10min")
        }
        return .asleep(length)
    }

    private func choice(
        _ arguments: [String], _ event: String, _ choices: [String: ScenarioEvent]
    ) throws(Complaint) -> ScenarioEvent {
        guard arguments.count == 1, let event = choices[arguments[0]] else {
            throw Complaint("write \(choices.keys.sorted().map { "\(event) \($0)" }.alternatives)")
        }
        return event
    }

    private func alone(
        _ event: ScenarioEvent, _ name: String, _ arguments: [String]
    ) throws(Complaint) -> ScenarioEvent {
        guard arguments.isEmpty else { throw Complaint("\(name) takes no arguments") }
        return event
    }
}

extension Scenario.Entry {
    /// Whether it is something that can be so before anybody is there to notice.
    fileprivate var isOfTheWorld: Bool {
        switch event {
        case .edge, .line, .deviceLost, .deviceReset, .configuration: true
        case .command, .routeLost, .routeBack, .asleep, .powerCut, .boot, .end: false
        }
    }
}
