import AudioSession

/// Every event that can happen to a running session, with a number.
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
                .mediaServicesLost, .mediaServicesReset, .configurationChanged, .routeLost, .programmeEnded,
                .command(.play), .delayElapsed(.episode), .delayElapsed(.duck), .routeBack,
            ] + (0..<trackCount).map(Event.trackBegan)
    }

    private static let perSignal = 5

    func edge(_ signal: Int, asserted: Bool) -> Int { signal * Alphabet.perSignal + (asserted ? 1 : 0) }
    func stuck(_ signal: Int) -> Int { signal * Alphabet.perSignal + 2 }
    func chatter(_ signal: Int) -> Int { signal * Alphabet.perSignal + 3 }
    func quiet(_ signal: Int) -> Int { signal * Alphabet.perSignal + 4 }
    func command(_ command: Int) -> Int { signals * Alphabet.perSignal + command }

    var lost: Int { command(commands.count) }
    var reset: Int { lost + 1 }
    var configurationChanged: Int { lost + 2 }
    var routeLost: Int { lost + 3 }
    var programmeEnded: Int { lost + 4 }
    /// What a user can ask for in the end, whatever commands there are.
    var play: Int { lost + 5 }
    var episodeElapsed: Int { lost + 6 }
    var duckElapsed: Int { lost + 7 }
    var routeBack: Int { lost + 8 }
    func trackBegan(_ track: Int) -> Int { lost + 9 + track }
}
