import Clocks
import Systemd

/// The end of the daemon, or of this configuration.
extension Installation {
    /// Fades out, saves the state for the next start, and ends the engine; then calls back, after the fade, but no later
    /// than the timeout.
    func end(within timeout: Duration, then: @escaping () -> Void) throws(SystemdError) {
        guard ending == nil else { return }
        sleeping = nil
        world.pass()
        abandonLoading()
        handle(.retire(within: timeout / 2))
        let timer = try loop.timer { [unowned self] in goOnEnding() }
        ending = Ending(timer: timer, deadline: world.now + timeout, then: then)
        self.timer?.deadline = nil
        for entry in journalist.due(at: nil) { JournalWriter.write(entry) }
        stallTimer?.deadline = nil
        playerSource = nil
        leaveRecorder()
        openGate()
        goOnEnding()
    }

    private func goOnEnding() {
        guard let ending, let then = ending.then else { return }
        world.pass()
        let hasStopped = world.player?.stop(within: .zero) ?? true
        guard hasStopped || world.now >= ending.deadline else {
            ending.timer.deadline = SystemClock.monotonic.now + .milliseconds(5)
            return
        }
        handle(.save(urgently: true))
        // The next installation requests the same lines.
        levels.letGo()
        self.ending?.then = nil
        then()
    }
}
