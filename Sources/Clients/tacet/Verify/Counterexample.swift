import AudioSession
import Configuration
import Signals
import Time
import Verification
import Vocabulary

/// The shortest path to a broken rule, as a scenario for `tacet simulate`.
struct Counterexample {
    private let configuration: Configuration
    /// The time between two steps. It is so short that no timeout elapses in between.
    private let pause: Duration
    private var now = Duration.zero
    private var isRunning = false
    private var lines: [String] = []
    /// The time at which each asserted signal was asserted.
    private var began: [Int: Duration] = [:]
    private var levels: [Bool]
    private var chattering: Set<Int> = []
    /// The signals that were asserted when the power failed.
    private var heldByBoot: [Int] = []
    private var rate = 48_000
    /// The last announcement that was requested, and the time of the request.
    private var announced: (sound: SoundID, at: Duration)?

    init(_ violation: ExplorationReport.Violation, of configuration: Configuration) {
        self.configuration = configuration
        levels = Array(repeating: false, count: configuration.session.signals.count)
        let limits =
            configuration.session.signals.compactMap(\.resumeWithin)
            + configuration.lines.values.compactMap(\.stuckAfter) + [configuration.session.resumeDelay]
            + configuration.session.sounds.compactMap(\.expire)
        let shortest = limits.filter { $0 > .zero }.min() ?? .seconds(3600)
        // Whole milliseconds are easier to read.
        let longest = Int(shortest / .milliseconds(1)) / (violation.steps.count + 2)
        pause = .milliseconds(min(1000, max(1, longest)))
        let rule = ExplorationReport.text(ofRule: violation.rule, under: configuration.session)
        lines = [
            "# Rule \(violation.rule) is broken: \(violation.what).",
            "# (\(rule)) The shortest path:", "",
        ]
        var times: [Duration] = []
        for (number, step) in violation.steps.enumerated() {
            write(step, delayedSince: violation.delays[number].map { times[$0] })
            times.append(now)
        }
        if !isRunning { say(.boot) }
        now += pause
        say(.end)
    }

    var text: String { lines.joined(separator: "\n") }

    private mutating func say(_ word: ScenarioWord) { say(word.rawValue) }

    private mutating func say(_ event: String) {
        lines.append("\(TimeSpan.format(now).filter { $0 != " " })  \(event)")
    }

    /// Writes a spontaneous event as a comment, because it needs no line of the scenario.
    private mutating func remark(_ what: String) {
        lines.append("# \(TimeSpan.format(now)): \(what)")
    }

    /// - Parameter begin: the beginning of the `ResumeDelay` that ends with this step, or nil if none does.
    private mutating func write(_ step: Step, delayedSince begin: Duration?) {
        // The run begins with a boot at 0, so the steps before the boot are at 0 as well.
        if isRunning { now += pause }
        switch step {
        case .line(let signal, let asserted): turn(signal, asserted)
        case .moment: break
        case .wait:
            now += (configuration.session.signals.compactMap(\.resumeWithin).max() ?? .zero) + .seconds(1)
        case .boot:
            say(.boot)
            isRunning = true
            // In this path the boot deasserts them at once. The scenario's boot holds them for their `ReleaseDelay`,
            // and then a `ResumeDelay` runs.
            let held = heldByBoot.filter { !levels[$0] && line($0).releaseDelay > .zero }
            for signal in held { turn(signal, false) }
            if !held.isEmpty { now += configuration.session.resumeDelay }
            heldByBoot = []
        case .powerCut:
            say(.powerCut)
            heldByBoot = began.keys.sorted()
            // A boot reads only levels and ignores the edges before it.
            chattering = []
        case .event(let event): write(event, delayedSince: begin)
        }
    }

    private mutating func write(_ event: Event, delayedSince begin: Duration?) {
        switch event {
        case .fault(let fault): write(fault, clears: false)
        case .cleared(let fault): write(fault, clears: true)
        case .command(let command):
            say("\(event)")
            if case .announce(let announcement) = command { announced = (announcement.sound, now) }
        case .mediaServicesLost, .mediaServicesReset, .captureLost, .captureReturned, .routeLost, .routeBack:
            say("\(event)")
        case .configurationChanged:
            rate = rate == 48_000 ? 44_100 : 48_000
            say("\(event) \(rate) 2")
        case .delayElapsed(let end):
            now = max(now, (begin ?? now) + configuration.session.resumeDelay)
            remark("\(end.rawValue) ended")
        case .trackBegan, .choiceEnded, .choiceLost:
            remark("the track ends by itself, so move the following lines past its end")
        case .idle: remark("IdlePlaylist= is chosen by itself, so move the following lines past that time")
        case .playbackEnded: remark("the last track ends by itself, so move the following lines past its end")
        case .soundEnded, .soundBroken: remark("the sound ends by itself, so move the following lines past its end")
        case .announcementExpired:
            guard let (sound, at) = announced else { return }
            let policy = configuration.session.sounds.first { $0.id == sound }
            now = max(now, at + (policy?.expire ?? .zero))
            remark("sound expired \(sound)")
        case .inputBegan(let input): turn(input, arrives: true)
        case .inputCeased(let input): turn(input, arrives: false)
        case .player, .playerFound: say("\(event)")
        case .boot, .edge, .edges, .awoke, .tracksAvailable, .soundReadable, .routeFound: remark("\(event)")
        }
    }

    // MARK: Signals

    private mutating func turn(_ signal: Int, _ asserted: Bool) {
        levels[signal] = asserted
        began[signal] = asserted ? began[signal] ?? now : nil
        let id = configuration.session.signals[signal].id
        if chattering.contains(signal) {
            sayLevel(signal)
        } else {
            say("\(Edge(id, asserted: asserted))")
        }
    }

    /// Writes the level of a signal's line, and that of the opposite contact if there is one.
    private mutating func sayLevel(_ signal: Int) {
        let id = configuration.session.signals[signal].id
        say("\(ScenarioWord.line.rawValue) \(id) \(electrical(signal) ? 1 : 0)")
        if line(signal).hasComplement {
            say("\(ScenarioWord.complement.rawValue) \(id) \(electrical(signal) ? 0 : 1)")
        }
    }

    private mutating func turn(_ input: InputID, arrives: Bool) {
        let arrival = configuration.inputs.first { $0.id == input }?.arrival ?? ArrivalPolicy()
        say("\(ScenarioWord.input.rawValue) \(input) \(arrives ? 1 : 0)")
        now += arrives ? max(arrival.attack, arrival.settle ?? .zero) : arrival.idle
    }

    private func electrical(_ signal: Int) -> Bool { levels[signal] != line(signal).isActiveLow }

    private func line(_ signal: Int) -> LinePolicy {
        configuration.lines[configuration.session.signals[signal].id] ?? LinePolicy()
    }

    private mutating func write(_ fault: Fault, clears: Bool) {
        guard let signal = configuration.session.signals.firstIndex(where: { $0.id == fault.signal }) else { return }
        let words = "\(fault.name) \(fault.kind.rawValue)"
        switch (fault.kind, clears) {
        case (.stuck, false):
            now = max(now, (began[signal] ?? now) + (line(signal).stuckAfter ?? .zero))
            remark("fault \(words)")
        case (.chatter, false):
            began[signal] = began[signal] ?? now
            chattering.insert(signal)
            chatter(signal)
        case (.chatter, true):
            now += line(signal).chatterWindow
            chattering.remove(signal)
            remark("cleared \(words)")
            guard !levels[signal] else { return }
            began[signal] = nil
            // In this path, the signal is deasserted at once.
            guard line(signal).releaseDelay > .zero else { return }
            now += .microseconds(1)
            turn(signal, false)
        default: remark(words)
        }
    }

    /// Writes more edges than `ChatterLimit=` allows, so fast that none settles. Afterwards the level is the same.
    private mutating func chatter(_ signal: Int) {
        let edges = line(signal).chatterLimit + 1
        for _ in 0..<(edges + edges % 2) {
            now += .microseconds(1)
            levels[signal].toggle()
            sayLevel(signal)
        }
    }
}
