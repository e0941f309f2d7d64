import AudioSession
import Configuration
import Signals
import Verification

/// The shortest way to a broken rule, as a scenario for `tacet simulate`.
struct Counterexample {
    private let configuration: Configuration
    /// Between two steps: short enough that nothing else gets its time.
    private let pause: Duration
    private var now = Duration.zero
    private var isRunning = false
    private var lines: [String] = []
    /// Of each signal that is asserted: since when.
    private var began: [Int: Duration] = [:]
    private var levels: [Bool]
    private var chattering: Set<Int> = []
    /// Those that were asserted when the power failed.
    private var heldByBoot: [Int] = []
    private var rate = 48_000

    init(_ violation: Report.Violation, of configuration: Configuration) {
        self.configuration = configuration
        levels = Array(repeating: false, count: configuration.session.signals.count)
        let limits =
            configuration.session.signals.compactMap(\.resumeWithin)
            + configuration.lines.values.compactMap(\.stuckAfter) + [configuration.session.resumeDelay]
        let shortest = limits.filter { $0 > .zero }.min() ?? .seconds(3600)
        // In whole milliseconds, as people read them.
        let longest = Int(shortest / .milliseconds(1)) / (violation.steps.count + 2)
        pause = .milliseconds(min(1000, max(1, longest)))
        lines = [
            "# Rule \(violation.rule) is broken: \(violation.what).",
            "# (\(Report.text(ofRule: violation.rule))) The shortest way there:", "",
        ]
        var times: [Duration] = []
        for (number, step) in violation.steps.enumerated() {
            write(step, delayedSince: violation.delays[number].map { times[$0] })
            times.append(now)
        }
        if !isRunning { say("boot") }
        now += pause
        say("end")
    }

    var text: String { lines.joined(separator: "\n") }

    private mutating func say(_ event: String) {
        lines.append("\(TimeSpan.format(now).filter { $0 != " " })  \(event)")
    }

    /// What happens by itself, and needs no line.
    private mutating func remark(_ what: String) {
        lines.append("# \(TimeSpan.format(now)): \(what)")
    }

    /// - Parameter begin: when the `ResumeDelay` began that the step ends, if it ends one.
    private mutating func write(_ step: Step, delayedSince begin: Duration?) {
        // The run begins with a boot at 0: what comes before is so at 0, too.
        if isRunning { now += pause }
        switch step {
        case .line(let signal, let asserted): turn(signal, asserted)
        case .wait:
            now += (configuration.session.signals.compactMap(\.resumeWithin).max() ?? .zero) + .seconds(1)
        case .boot:
            say("boot")
            isRunning = true
            // In this path the boot ends them at once. The scenario's boot holds them for their `ReleaseDelay`, and after
            // their end a `ResumeDelay` runs.
            let held = heldByBoot.filter { !levels[$0] && line($0).releaseDelay > .zero }
            for signal in held { turn(signal, false) }
            if !held.isEmpty { now += configuration.session.resumeDelay }
            heldByBoot = []
        case .powerCut:
            say("power-cut")
            heldByBoot = began.keys.sorted()
            // A boot reads a level, and knows nothing of the edges before it.
            chattering = []
        case .event(let event): write(event, delayedSince: begin)
        }
    }

    private mutating func write(_ event: Event, delayedSince begin: Duration?) {
        switch event {
        case .fault(let fault): write(fault, clears: false)
        case .cleared(let fault): write(fault, clears: true)
        case .command(let command): say("command \(command)")
        case .mediaServicesLost: say("device lost")
        case .mediaServicesReset: say("device reset")
        case .configurationChanged:
            rate = rate == 48_000 ? 44_100 : 48_000
            say("configuration \(rate) 2")
        case .routeLost: say("route lost")
        case .routeBack: say("route back")
        case .delayElapsed(let end):
            now = max(now, (begin ?? now) + configuration.session.resumeDelay)
            remark("\(end.rawValue) ended")
        case .trackBegan: remark("the track ends by itself: let it, and move what follows behind that")
        case .programmeEnded: remark("the last track ends by itself: let it, and move what follows behind that")
        case .boot, .edge, .edges, .awoke, .tracksAvailable: remark("\(event)")
        }
    }

    // MARK: Signals

    private mutating func turn(_ signal: Int, _ asserted: Bool) {
        levels[signal] = asserted
        began[signal] = asserted ? began[signal] ?? now : nil
        let id = configuration.session.signals[signal].id
        if chattering.contains(signal) {
            say("line \(id) \(electrical(signal) ? 1 : 0)")
        } else {
            say("\(asserted ? "assert" : "deassert") \(id)")
        }
    }

    private func electrical(_ signal: Int) -> Bool { levels[signal] != line(signal).isActiveLow }

    private func line(_ signal: Int) -> LinePolicy {
        configuration.lines[configuration.session.signals[signal].id] ?? LinePolicy()
    }

    private mutating func write(_ fault: Fault, clears: Bool) {
        guard let signal = configuration.session.signals.firstIndex(where: { $0.id == fault.signal }) else { return }
        let words = "\(fault.signal) \(fault.kind.rawValue)"
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
            // In this path it ends at once.
            guard line(signal).releaseDelay > .zero else { return }
            now += .microseconds(1)
            turn(signal, false)
        default: remark(words)
        }
    }

    /// More edges than any contact makes, so fast that none of them settles; the level is the same afterwards.
    private mutating func chatter(_ signal: Int) {
        let edges = line(signal).chatterLimit + 1
        for _ in 0..<(edges + edges % 2) {
            now += .microseconds(1)
            levels[signal].toggle()
            say("line \(configuration.session.signals[signal].id) \(electrical(signal) ? 1 : 0)")
        }
    }
}
