import Clocks
import Systemd

/// The shutdown of the daemon or the replacement of this configuration.
extension Installation {
    /// The reason that callers receive when commands are no longer carried out.
    static let absence = "Tacet is about to stop, or is applying another configuration"

    /// Fades out, saves the state for the next start, and ends the engine. Calls back after the fade-out, but no later
    /// than the timeout.
    func end(within timeout: Duration, then: @escaping () -> Void) throws(SystemdError) {
        guard !isEnding else { return }
        if case .sleeping = phase { phase = .awake(after: nil) }
        world.pass()
        abandonLoading()
        rejectChoice(because: Self.absence)
        handle(.retire(within: timeout / 2))
        let wait = try ConditionWait(
            in: loop, until: { [unowned self] in hasEnded() }, before: SystemClock.monotonic.now + timeout
        ) { [unowned self] in
            handle(.save(urgently: true))
            // The next installation requests the same lines.
            levels.letGo()
            liveInputs.close()
            then()
        }
        phase = .ending(wait)
        wakeups?.pause()
        for entry in formatter.due(at: nil) { JournalWriter.write(entry) }
        leaveRecorder()
        openGate()
        wait.look()
    }

    private func hasEnded() -> Bool {
        world.pass()
        return world.player?.stop(within: .zero) ?? true
    }
}
