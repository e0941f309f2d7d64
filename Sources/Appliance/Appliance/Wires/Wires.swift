import AudioSession
import Configuration
import GPIO
import Glibc
import Systemd

/// The lines of all signals and buttons, in an event loop: reports their edges and losses.
///
/// It requests missing lines again whenever a GPIO chip appears, and every few seconds.
final class Wires {
    private static let firstRetry = Duration.milliseconds(500)
    private static let longestRetry = Duration.seconds(10)
    /// How long lines that report more edges than can be handled are ignored, so that the other sources get their turn.
    private static let rest = Duration.milliseconds(20)
    /// No contact makes this many edges at once.
    private static let flood = 256

    private let configuration: Configuration
    private let loop: EventLoop
    private let reader: LineReader<WireID>
    private var sources: [EventSource] = []
    private var retry: EventTimer?
    private var resting: EventTimer?
    private var chips: EventSource?
    private var pause = Wires.firstRetry
    // Closures that can be set, because they refer to the owner, which creates this object before itself is complete.
    // They and the sources below refer to objects that own them, and so must not retain them.

    /// Called with edges and losses, in their order.
    var onReading: (LineReading<WireID>) -> Void = { _ in }
    /// Called when lines that were missing have been acquired, with their levels.
    var onFound: ([(wire: WireID, level: Bool)]) -> Void = { _ in }

    /// Requests the lines.
    /// - Parameters:
    ///   - patience: how long to wait for missing lines. At boot, a chip's driver or its permissions can be late, and
    ///     nothing must be heard before the lines have been read.
    ///   - read: creates the reader of these lines.
    init(
        _ configuration: Configuration, patience: Duration, in loop: EventLoop,
        reading read: ([WantedLine<WireID>]) -> LineReader<WireID>
    ) throws(SystemdError) {
        self.configuration = configuration
        self.loop = loop
        let signals = configuration.session.signals.compactMap { signal in
            configuration.wiring[signal.id].map { WantedLine(WireID.signal(signal.id), $0) }
        }
        let buttons = configuration.buttons.map { WantedLine(WireID.button($0.name), $0.wiring) }
        reader = read(signals + buttons)
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

    /// Releases all lines, so that a successor can request them.
    func letGo() {
        sources = []
        chips = nil
        resting?.deadline = nil
        _ = reader.change(to: [])
        retry?.deadline = nil
    }

    /// Reads the levels again, and drops the edges up to now.
    func forgetEdges() {
        if !reader.readEdges().losses.isEmpty { try? watch() }
    }

    /// The electrical level of each signal's line, as last reported. A signal without a line is never asserted; a signal
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

    /// Where a signal's line is; nil if it is missing, or the signal has none.
    func place(of signal: SignalID) -> FoundLine? { reader.location(of: .signal(signal)) }

    func level(ofButton name: String) -> Bool? { reader.level(of: .button(name)) }

    /// All lines that are held, with the levels last read.
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

    /// Requests missing lines soon, because a chip may have appeared.
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
        // If a chip keeps appearing and disappearing, its lines are requested less and less often.
        if !reading.losses.isEmpty { try? watch() }
        if reading.edges.count >= Self.flood {
            for source in sources { source.isEnabled = false }
            resting?.deadline = EventClock.monotonic.now + Self.rest
        }
        onReading(reading)
    }

    /// Watches the reader's descriptors, which change with every line that is acquired or lost.
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
