import ALSA
import AudioSession
import Clocks
import Configuration
import Evdev
import GPIO
import Signals
import Systemd

/// The levels of all signals and buttons, independent of their sources. This is the only entry point, so the rest of
/// the daemon does not depend on the source of a level.
final class Levels {
    private let configuration: Configuration
    private var watches: [LevelWatch] = []
    private let lineReader: LineReader<WireID>?
    private let programs: ProgramLevels
    /// The polled lines that were reported last.
    private var reported: [PolledLine] = []
    /// Called with level changes in order.
    var onChanges: ([LevelChange<WireID>]) -> Void = { _ in }

    /// Acquires all devices.
    /// - Parameters:
    ///   - timeout: The time to wait for missing devices.
    ///   - remote: The levels that come over the bus, which survive a reload.
    init(
        _ configuration: Configuration, timeout: Duration, in loop: EventLoop, on host: HostSystem,
        remote: RemoteLevels
    ) throws(SystemdError) {
        self.configuration = configuration
        let deadline = SystemClock.monotonic.now + timeout
        // Tacet debounces instead of the kernel. For most chips, the kernel debounces with its timer ticks, which would
        // delay every edge and its time stamp by up to 10 ms and hide a chattering contact.
        let lines = configuration.wires.compactMap { id, source, policy in
            source.as(Wiring.self).map { WantedLine(id, $0.line, bias: $0.bias, poll: policy.poll) }
        }
        let inputs = configuration.wires(of: InputSelector.self)
        let jacks = configuration.wires(of: JackSelector.self)
        lineReader = lines.isEmpty ? nil : host.reader(lines)
        programs = remote.programs
        if let lineReader { try watch(lineReader, in: loop, folders: ["/dev"], until: deadline) }
        if !inputs.isEmpty {
            let reader = InputReader(inputs, system: host.inputs, advice: InputSelector.advice)
            try watch(reader, in: loop, folders: ["/dev", "/dev/input"], until: deadline)
        }
        if !jacks.isEmpty {
            let reader = JackReader(jacks, system: host.jacks, advice: JackSelector.advice)
            try watch(reader, in: loop, folders: ["/dev", "/dev/snd"], until: deadline)
        }
        try remote.adopt(configuration, waitingUntil: deadline)
        try watch(remote.programs, in: loop)
        if let calls = remote.calls { try watch(calls, in: loop) }
    }

    private func watch(
        _ reader: any LevelReader<WireID>, in loop: EventLoop, folders: [String] = [], until deadline: Duration = .zero
    ) throws(SystemdError) {
        // The owner of the watch outlives it.
        watches.append(
            try LevelWatch(reader, in: loop, folders: folders, waitingUntil: deadline) { [unowned self] in onChanges($0)
            })
    }

    /// Releases all devices, so that a successor can acquire them.
    func letGo() { for watch in watches { watch.letGo() } }

    /// Reads the levels again and drops the changes up to now.
    func refresh() { for watch in watches { watch.refresh() } }

    /// Reads the levels again, and repairs those whose changes were lost. Call this every few seconds.
    func reread() { for watch in watches { watch.reread() } }

    /// The number of changes that were lost and repaired since the start or the last reload.
    var repairs: Int { lineReader?.repairs ?? 0 }

    /// The lines that are polled, in the order of the configuration.
    var polled: [PolledLine] {
        configuration.wires.compactMap { id, _, _ in
            guard let polling = lineReader?.polling(of: id), let found = lineReader?.location(of: id) else {
                return nil
            }
            return PolledLine(title: id.title, chip: found.chip.name, polling: polling)
        }
    }

    /// Returns the lines that are polled if they are others than at the last call.
    func takePolled() -> [PolledLine] {
        let polled = polled
        defer { reported = polled }
        return polled == reported ? [] : polled
    }

    /// Looks for missing devices again, because one may have appeared.
    func lookAgain() { for watch in watches { watch.lookAgain() } }

    /// Restores the signals that were active when the state was saved. Programs that asserted them can renew their
    /// leases.
    func resume(_ signals: [SignalID]) { programs.resume(signals) }

    /// The levels of the opposite contacts. One whose line is missing is left out.
    var complements: [SignalID: Bool] {
        var levels: [SignalID: Bool] = [:]
        for signal in configuration.complements.keys { levels[signal] = level(of: .complement(signal)) }
        return levels
    }

    /// The level of each signal as last reported. A signal without a source is never asserted. A signal whose source is
    /// missing is left out.
    var signals: [SignalID: Bool] {
        var levels: [SignalID: Bool] = [:]
        for signal in configuration.session.signals {
            levels[signal.id] =
                configuration.sources[signal.id] == nil
                ? configuration.lines[signal.id]?.isActiveLow ?? false : level(of: .signal(signal.id))
        }
        return levels
    }

    func level(of id: WireID) -> Bool? { first { $0.level(of: id) } }

    /// Returns the source of a level for people, or nil if the level is missing or if the configuration already
    /// describes the source completely.
    func place(of id: WireID) -> String? { first { $0.place(of: id) } }

    /// Returns the reason why a level is missing, or nil if it is not missing or if the reason is unknown.
    func problem(of id: WireID) -> String? { first { $0.problem(of: id) } }

    private func first<Value>(_ property: (any LevelReader<WireID>) -> Value?) -> Value? {
        for watch in watches {
            if let value = property(watch.reader) { return value }
        }
        return nil
    }

    /// All GPIO lines that are held, with the levels that were last read.
    var heldLines: [HeldLine] {
        configuration.wires.compactMap { id, _, _ in
            guard let found = lineReader?.location(of: id), let level = lineReader?.level(of: id) else { return nil }
            return HeldLine(title: id.title, chip: found.chip.path, offset: found.line.offset, level: level)
        }
    }
}

/// The levels that come over a message bus. They survive a reload, because other programs do not notice it.
final class RemoteLevels {
    private let loop: EventLoop
    let programs: ProgramLevels
    /// The levels of calls, or nil while no signal follows the calls.
    private(set) var calls: CallLevels?

    init(in loop: EventLoop) throws(SystemdError) {
        self.loop = loop
        programs = try ProgramLevels(in: loop)
    }

    func adopt(_ configuration: Configuration, waitingUntil deadline: Duration) throws(SystemdError) {
        let states = configuration.sources.compactMapValues { $0.as(CallState.self) }
        programs.adopt(configuration.sources.compactMapValues { $0.as(ProgramLease.self) })
        if states.isEmpty {
            calls = nil
        } else {
            let following = if let calls { calls } else { try CallLevels(in: loop) }
            calls = following
            following.adopt(states, waitingUntil: deadline)
        }
    }
}
