import AudioSession
import Configuration
import GPIO
import Glibc
import Systemd

/// The lines of all signals and buttons, in an event loop: what happens on them, and what is missing.
///
/// Lines that are missing are asked for again: when a GPIO chip appears, and every few seconds besides.
final class Wires {
    private static let firstRetry = Duration.milliseconds(500)
    private static let longestRetry = Duration.seconds(10)
    /// How long a line that tells more than can be handled is left alone, for others to have their turn.
    private static let rest = Duration.milliseconds(20)
    /// So many edges at once are more than any contact makes.
    private static let flood = 256

    private let configuration: Configuration
    private let loop: EventLoop
    private let reader: LineReader<WireID>
    private var sources: [EventSource] = []
    private var retry: EventTimer?
    private var resting: EventTimer?
    private var chips: EventSource?
    private var pause = Wires.firstRetry
    /// Edges and losses, in their order.
    var onReading: (LineReading<WireID>) -> Void = { _ in }
    /// Lines that were missing are there, with these levels.
    var onFound: ([(wire: WireID, level: Bool)]) -> Void = { _ in }

    /// Requests the lines.
    /// - Parameter patience: how long to wait for those that are missing. At boot a chip's driver or its permissions may
    ///   be late, and nothing is to be heard before the lines are read.
    init(_ configuration: Configuration, patience: Duration, in loop: EventLoop) throws(SystemdError) {
        self.configuration = configuration
        self.loop = loop
        let signals = configuration.session.signals.compactMap { signal in
            configuration.wiring[signal.id].map { WantedLine(WireID.signal(signal.id), $0) }
        }
        let buttons = configuration.buttons.map { WantedLine(WireID.button($0.name), $0.wiring) }
        reader = LineReader(signals + buttons, consumer: "tacet")
        _ = reader.acquire()
        let deadline = EventClock.monotonic.now + patience
        while reader.isIncomplete, EventClock.monotonic.now < deadline {
            poll(nil, 0, 50)
            _ = reader.acquire()
        }
        retry = try loop.timer { [unowned self] in lookForMissing() }
        resting = try loop.timer { [unowned self] in for source in sources { source.isEnabled = true } }
        // If the system has no watches left, the timer alone finds new chips.
        chips = try? loop.whenFolderChanges("/dev") { [unowned self] in chipsMayHaveChanged() }
        try watch()
    }

    /// Lets go of all lines, for another to request them.
    func letGo() {
        sources = []
        chips = nil
        resting?.deadline = nil
        _ = reader.change(to: [])
        retry?.deadline = nil
    }

    /// Reads the levels anew; what happened on the way to them is forgotten.
    func forgetEdges() {
        if !reader.readEdges().losses.isEmpty { try? watch() }
    }

    /// The electrical level of each signal's line, as it was told last. A signal without a line is never asserted; one
    /// whose line is missing is left out.
    var levels: [SignalID: Bool] {
        var levels: [SignalID: Bool] = [:]
        for signal in configuration.session.signals {
            levels[signal.id] =
                configuration.wiring[signal.id] == nil
                ? configuration.lines[signal.id]?.isActiveLow ?? false : reader.level(of: .signal(signal.id))
        }
        return levels
    }

    /// Where a signal's line is; nil while it is missing, and where it has none.
    func place(of signal: SignalID) -> FoundLine? { reader.location(of: .signal(signal)) }

    func level(ofButton name: String) -> Bool? { reader.level(of: .button(name)) }

    /// All lines that are held, with the levels read last.
    var held: [HeldLine] {
        let signals = configuration.session.signals.map { (WireID.signal($0.id), "signal \($0.id)") }
        let buttons = configuration.buttons.map { (WireID.button($0.name), "button \($0.name)") }
        return (signals + buttons).compactMap { id, title in
            guard let line = reader.location(of: id), let level = reader.level(of: id) else { return nil }
            return HeldLine(title: title, chip: line.chip.path, offset: line.line.offset, level: level)
        }
    }

    /// Why lines are missing.
    var problems: [WireID: GPIOError] { reader.problems }

    /// A chip may have come: looks for what is missing soon.
    func chipsMayHaveChanged() {
        guard reader.isIncomplete else { return }
        pause = Self.firstRetry
        scheduleRetry(after: .milliseconds(50))
    }

    private func lookForMissing() {
        let outcomes = reader.acquire()
        try? watch()
        let found = outcomes.compactMap { outcome in
            if case .success(let level) = outcome.result { (outcome.id, level) } else { nil }
        }
        if !found.isEmpty { onFound(found) }
    }

    private func read() {
        let reading = reader.readEdges()
        // A chip that comes and goes is asked for less and less often.
        if !reading.losses.isEmpty { try? watch() }
        if reading.edges.count >= Self.flood {
            for source in sources { source.isEnabled = false }
            resting?.deadline = EventClock.monotonic.now + Self.rest
        }
        onReading(reading)
    }

    /// The descriptors change with every line that is found or lost.
    private func watch() throws(SystemdError) {
        sources = []
        for descriptor in reader.descriptors {
            sources.append(try loop.whenReadable(descriptor, priority: .important) { [unowned self] in read() })
        }
        scheduleRetry(after: pause)
        guard reader.isIncomplete else { return }
        pause = min(pause * 2, Self.longestRetry)
    }

    private func scheduleRetry(after pause: Duration) {
        retry?.deadline = reader.isIncomplete ? EventClock.monotonic.now + pause : nil
    }
}
