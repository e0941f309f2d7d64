import Clocks
import Systemd

/// What happens when the system goes to sleep and wakes.
extension Installation {
    /// The system is about to sleep: fades out, closes the device and saves the state; then calls back, but no later than
    /// the timeout. Until `wake`, no event is handled.
    func sleep(within timeout: Duration, then: @escaping () -> Void) throws(SystemdError) {
        guard ending == nil, sleeping == nil else { return then() }
        settle()
        for entry in journalist.due(at: nil) { JournalWriter.write(entry) }
        tell(journalist.fallingAsleep(in: scene))
        recording.sleep()
        world.player?.sleep(fadeOut: min(configuration.playback.fadeOut, timeout / 2))
        handle(.save(urgently: true))
        timer?.deadline = nil
        stallTimer?.deadline = nil
        playerSource?.isEnabled = false
        let timer = try loop.timer { [unowned self] in continueFallingAsleep() }
        sleeping = Sleeping(
            timer: timer, since: world.now, deadline: SystemClock.monotonic.now + timeout, then: then)
        continueFallingAsleep()
        onChange()
    }

    /// Whether everything is quiet, so that an announced sleep can begin.
    var isAsleep: Bool { sleeping.map { $0.then == nil } ?? false }

    private func continueFallingAsleep() {
        guard let sleeping, let then = sleeping.then else { return }
        let now = SystemClock.monotonic.now
        guard (world.player?.isReleased ?? true) && recording.isComplete || now >= sleeping.deadline else {
            sleeping.timer.deadline = now + .milliseconds(5)
            return
        }
        // The position at which the fade-out began is known now.
        world.pass()
        handle(.save(urgently: true))
        self.sleeping?.then = nil
        then()
    }

    /// The system has woken. Reads the lines before anything is heard, and continues.
    /// - Parameter sleep: nil: the announced one, of which the clocks show nothing.
    func wake(from sleep: Sleep?) {
        guard ending == nil else { return }
        world.pass()
        let announced = sleeping
        let sleep = sleep ?? Sleep(cause: .announced, length: announced.map { world.now - $0.since } ?? .zero)
        sleeping = nil
        lastSleep = (sleep, world.now)
        audibility.wake()
        world.player?.restartWatch()
        journalist.woke(from: sleep)
        // All edges up to now are dropped, and the levels count.
        handle(.wake(since: announced?.since ?? world.now - sleep.length, levels: world.readLines()))
        let before = buttons
        for index in buttons.indices {
            buttons[index].wake(levels.level(of: .button(buttons[index].button.name)), at: world.now)
        }
        tellFaults(of: buttons, since: before)
        wakeJack()
        recording.wake()
        takeRecorderEvents()
        world.player?.wake(fadeIn: configuration.playback.fadeIn)
        playerSource?.isEnabled = true
        noteStall()
        settle()
    }
}
