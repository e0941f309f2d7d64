import AudioSession
import Vocabulary

/// A `Step` in a few bytes, to be stored with the state in which it is taken.
enum Move: Hashable {
    /// The level of the line of the signal with this index toggles.
    case line(Int16)
    /// An event, by its number in the alphabet. A lost route returns at once. `announcementExpired` applies to every
    /// waiting announcement that can expire. The end of a sound or a track comes at any time, because lengths are not
    /// known.
    case event(Int16)
    case powerCut
    /// The power returns. These lines are asserted, and the device is available or not. What the lines and the device
    /// did without power makes no difference, so it is not a move.
    case boot(SignalSet, hasDevice: Bool)
    case wait
}

extension Explorer {
    /// Returns a path of the search as the steps of each move.
    func steps(_ path: StateSearch<Explorer>.Path) -> [[Step]] {
        var last = ExplorerState()
        return path.map { state, move in
            if state.isOn { last = state }
            return changesWithoutPower(since: last, move) + [step(move, from: state)]
        }
    }

    /// Returns what the lines and the device do between the last state with power and a boot.
    private func changesWithoutPower(since last: ExplorerState, _ boot: Move) -> [Step] {
        guard case .boot(let asserted, let hasDevice) = boot else { return [] }
        let lines = policy.signals.indices.filter { asserted[$0] != last.lines.asserted[$0] }.map {
            Step.line($0, asserted: asserted[$0])
        }
        guard hasDevice != last.deviceIsAvailable else { return lines }
        return lines + [.event(alphabet.events[alphabet.device(isAvailable: hasDevice, options)])]
    }

    func step(_ move: Move, from state: ExplorerState) -> Step {
        switch move {
        case .line(let signal): .line(Int(signal), asserted: !state.lines.asserted[Int(signal)])
        case .event(let event): .event(alphabet.events[Int(event)])
        case .powerCut: .powerCut
        case .boot: .boot
        case .wait: .wait
        }
    }
}

/// Something that can happen to a session or to its environment.
public enum Step: Hashable, Sendable {
    /// The level of a line changes, while the power is on or off. The number is the index of the signal in the policy.
    case line(Int, asserted: Bool)
    case event(Event)
    case powerCut
    case boot
    /// Enough time passes for every active interruption to outlast its `ResumeWithin`.
    case wait
    /// A short time passes.
    case moment

    /// Returns the step in the words of a scenario, if a scenario has words for it.
    func description(_ policy: Policy) -> String {
        switch self {
        case .line(let signal, let asserted): "\(Edge(policy.signals[signal].id, asserted: asserted))"
        case .powerCut: ScenarioWord.powerCut.rawValue
        case .boot: ScenarioWord.boot.rawValue
        case .wait: "# longer than any ResumeWithin"
        case .moment: "# a moment"
        // In a scenario, this event must specify the new format.
        case .event(.configurationChanged): "\(Event.configurationChanged) 44100 2"
        case .event(let event): "\(event)"
        }
    }
}

/// The numbered events that can happen to a running session.
struct Alphabet {
    let events: [Event]
    let commands: [Command]
    private let signals: Int

    init(_ policy: Policy, commands: [Command], trackCount: Int) {
        self.commands = commands
        signals = policy.signals.count
        let ofSignals = policy.signals.map(\.id).flatMap { id -> [Event] in
            [
                .edge(Edge(id, asserted: false)), .edge(Edge(id, asserted: true)), .fault(Fault(id, .stuck)),
                .fault(Fault(id, .chatter)), .cleared(Fault(id, .chatter)),
            ]
        }
        events =
            ofSignals + commands.map(Event.command) + [
                .mediaServicesLost, .mediaServicesReset, .configurationChanged, .routeLost, .playbackEnded,
                .command(.play), .delayElapsed(.episode), .delayElapsed(.duck), .routeBack, .soundEnded,
                .announcementExpired, .command(.hush), .command(.record), .captureLost, .captureReturned,
                .choiceEnded, .choiceLost, .trackBegan(Explorer.chosenTrack),
            ] + (0..<trackCount).map(Event.trackBegan)
    }

    private static let perSignal = 5

    func move(_ event: Int) -> Move { .event(Int16(event)) }
    /// Returns the index of the signal of an edge or a fault.
    func signal(of event: Int) -> Int { event / Alphabet.perSignal }

    func edge(_ signal: Int, asserted: Bool) -> Int { signal * Alphabet.perSignal + (asserted ? 1 : 0) }
    func stuck(_ signal: Int) -> Int { signal * Alphabet.perSignal + 2 }
    func chatter(_ signal: Int) -> Int { signal * Alphabet.perSignal + 3 }
    func quiet(_ signal: Int) -> Int { signal * Alphabet.perSignal + 4 }
    func command(_ command: Int) -> Int { signals * Alphabet.perSignal + command }

    var lost: Int { command(commands.count) }
    var reset: Int { lost + 1 }
    var configurationChanged: Int { lost + 2 }
    var routeLost: Int { lost + 3 }
    var playbackEnded: Int { lost + 4 }
    /// `play`, even if it is not among the commands that users can send.
    var play: Int { lost + 5 }
    var episodeElapsed: Int { lost + 6 }
    var duckElapsed: Int { lost + 7 }
    var routeBack: Int { lost + 8 }
    var soundEnded: Int { lost + 9 }
    var announcementExpired: Int { lost + 10 }
    /// `hush`, even if it is not among the commands that users can send.
    var hush: Int { lost + 11 }
    /// `record`, even if it is not among the commands that users can send.
    var record: Int { lost + 12 }
    var choiceLost: Int { lost + 16 }
    func trackBegan(_ track: Int) -> Int { lost + 18 + track }

    /// Returns the event at the end of the only track of a choice.
    func end(of choice: Choice) -> Int {
        switch choice.request.then {
        case .continue: lost + 15
        case .stop: playbackEnded
        case .repeat: lost + 17
        }
    }

    /// Returns the loss or return of the device that is explored.
    func device(isAvailable: Bool, _ options: Explorer.Options) -> Int {
        if options.contains(.recording) { return isAvailable ? record + 2 : record + 1 }
        return isAvailable ? reset : lost
    }
}
