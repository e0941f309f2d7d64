import AudioSession
import Clocks
import Configuration
import GPIO
import Systemd
import Threads

/// The lines of all outputs in an event loop. It drives them and requests missing ones again.
///
/// It outlives a reload, so that a line that stays an output keeps its level.
final class OutputLines {
    private let writer: LineWriter<OutputID>
    private var outputs: [Output] = []
    private var asserted: [OutputID] = []
    private var timer: EventTimer?
    private var chips: EventSource?
    private var backoff = Backoff(from: .milliseconds(500), to: .seconds(10))
    /// The times at which to check that no line has been lost, because the kernel does not report the loss of a driven
    /// line.
    private var patrol = RegularCheck(at: .zero)
    /// The outputs that were missing at the last call to `onChange`.
    private var reported: Set<OutputID> = []
    /// The faults at the last call to `takeFaults`. They are not reported again after a reload.
    private var faults: [OutputFault] = []
    /// Called when a line has been lost or acquired, but never during another call.
    var onChange: () -> Void = {}

    init(_ writer: LineWriter<OutputID>, in loop: EventLoop) throws(SystemdError) {
        self.writer = writer
        // This object owns the timer and the watch, which do not call back after they are released.
        timer = try loop.timer { [unowned self] in look() }
        // If the system has no watches left, only the timer finds new chips.
        chips = try? loop.whenFolderChanges("/dev") { [unowned self] in chipsMayHaveChanged() }
    }

    /// Requests the lines of these outputs with their deasserted level. Lines that are already driven keep their level.
    /// All other lines are released.
    func use(_ outputs: [Output]) {
        self.outputs = outputs
        writer.change(to: outputs.compactMap(DrivenLine.init))
        // The caller checks the result itself.
        reported = Set(writer.problems.keys)
        backoff.restart()
        schedule()
    }

    /// Asserts these outputs and no others.
    func drive(_ asserted: [OutputID]) {
        self.asserted = asserted
        let before = writer.problems
        for output in outputs {
            writer.set(output.policy.id, to: asserted.contains(output.policy.id) != output.isActiveLow)
        }
        // The timer reports the change, because the supervisor is in the middle of an event.
        if writer.problems != before { timer?.deadline = SystemClock.monotonic.now }
    }

    /// Deasserts and releases all lines.
    func release() {
        timer?.deadline = nil
        chips = nil
        writer.change(to: [])
    }

    /// Requests missing lines soon, because a chip may have appeared, and detects lost ones.
    func chipsMayHaveChanged() {
        guard !writer.wanted.isEmpty else { return }
        backoff.restart()
        timer?.deadline = SystemClock.monotonic.now + .milliseconds(50)
    }

    /// The reasons why lines are missing.
    var problems: [OutputID: GPIOError] { writer.problems }

    /// The outputs whose lines are missing, in the configuration's order.
    var missing: [Output] { outputs.filter { writer.problems[$0.policy.id] != nil } }

    /// Returns the current faults and those at the last call.
    func takeFaults() -> (now: [OutputFault], earlier: [OutputFault]) {
        let earlier = faults
        faults = OutputFault.all(of: self)
        return (faults, earlier)
    }

    /// All lines that are held.
    var held: [HeldLine] {
        outputs.compactMap { output in
            let id = output.policy.id
            guard let line = writer.location(of: id), let level = writer.level(of: id) else { return nil }
            return HeldLine(title: "output \(id)", chip: line.chip.path, offset: line.line.offset, level: level)
        }
    }

    /// Checks the lines if the regular check is nearly due.
    func lookIfDue() {
        guard !writer.wanted.isEmpty, !writer.isIncomplete, patrol.isDue(at: SystemClock.monotonic.now) else { return }
        look()
    }

    private func look() {
        writer.check()
        writer.acquire()
        schedule()
        let missing = Set(writer.problems.keys)
        guard missing != reported else { return }
        reported = missing
        onChange()
    }

    private func schedule() {
        guard !writer.wanted.isEmpty else {
            timer?.deadline = nil
            return
        }
        guard writer.isIncomplete else {
            backoff.restart()
            patrol.pass(at: SystemClock.monotonic.now)
            timer?.deadline = patrol.deadline
            return
        }
        timer?.deadline = SystemClock.monotonic.now + backoff.next()
    }
}

extension DrivenLine<OutputID> {
    /// Creates a line as configured. Returns nil if the output does not have a line.
    init?(_ output: Output) {
        guard let wiring = output.wiring else { return nil }
        self.init(
            output.policy.id, wiring.line, drive: output.drive, bias: wiring.bias, safeLevel: output.isActiveLow)
    }
}
