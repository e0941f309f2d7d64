import Clocks
import ResumeStore
import Systemd

/// Saves the state in the configured folder in an event loop, and logs when the disk does not accept it. Use it on the
/// control thread only.
final class StateSaver {
    /// The time that a start waits for another daemon that is about to end and still locks the folder.
    private static let lockTimeout = Duration.seconds(2)

    private let loop: EventLoop
    private(set) var store: ResumeStore
    /// The writer is created after UNIX signals have been blocked, so that its thread does not receive them.
    private(set) lazy var writer = StateWriter(store, lock: lock, boot: BootID.service)
    /// The lock on the folder until it is passed to the writer.
    private var lock: StateLock?
    private var source: EventSource?
    /// A timer that fires when a write takes too long.
    private var timer: EventTimer?
    /// The reason why the state cannot be saved, or nil if it can.
    private(set) var problem: String?
    /// Called when a write has succeeded, failed or taken too long.
    var onOutcome: () -> Void = {}

    init(directory: String, in loop: EventLoop) {
        self.loop = loop
        store = ResumeStore(directory: directory)
    }

    /// - Throws: `StateError.inUse` if another process uses the folder.
    func start() throws {
        lock = try StateLock.take(store.directory, timeout: Self.lockTimeout)
        try watch()
        lock = nil
    }

    /// Changes the folder in which the state is saved.
    func move(to directory: String) throws(SystemdError) {
        guard directory != store.directory else { return }
        store = ResumeStore(directory: directory)
        writer.quit()
        writer = StateWriter(store, last: writer.last, boot: BootID.service)
        try watch()
    }

    private func watch() throws(SystemdError) {
        timer = try loop.timer { [unowned self] in noteDelay() }
        source = try loop.whenReadable(writer.descriptor) { [unowned self] in takeOutcome() }
    }

    private func takeOutcome() {
        guard let outcome = writer.takeOutcome() else { return }
        timer?.deadline = nil
        switch outcome {
        case .written: note(nil)
        case .failed(let error): note("\(error)")
        }
    }

    /// Starts the timer for a state that is being written.
    func expectOutcome() {
        // Successes are taken when the next state is saved, so that they do not cause wake-ups.
        takeOutcome()
        guard timer?.deadline == nil else { return }
        timer?.deadline = SystemClock.monotonic.now + StateWriter.timeout
    }

    private func noteDelay() {
        guard let delay = writer.delay else { return takeOutcome() }
        guard delay >= StateWriter.timeout else {
            timer?.deadline = SystemClock.monotonic.now + StateWriter.timeout - delay
            return
        }
        note("the disk has taken more than \(Int(StateWriter.timeout / .seconds(1))) s to write it")
        timer?.deadline = SystemClock.monotonic.now + StateWriter.timeout
    }

    private func note(_ problem: String?) {
        let before = self.problem
        self.problem = problem
        switch (before, problem) {
        case (nil, let problem?):
            JournalWriter.write(
                JournalEntry(
                    .stateUnwritable, "The state cannot be saved, so a power cut would lose the position: \(problem)",
                    priority: .error
                ).with(.reason, problem).with(.outcome, "a power cut would lose the position"))
        case (_?, nil):
            JournalWriter.write(
                JournalEntry(.stateWrittenAgain, "The state can be saved again.", priority: .notice)
                    .with(.outcome, "a power cut no longer loses the position"))
        default: break
        }
        onOutcome()
    }
}
