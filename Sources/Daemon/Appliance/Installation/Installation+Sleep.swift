import Clocks
import Systemd

/// The actions when the system goes to sleep and when it wakes.
extension Installation {
    /// Prepares for sleep. Fades out, closes the device and saves the state, and then calls back, but no later than the
    /// timeout. Until `wake`, no event is handled.
    func sleep(within timeout: Duration, then: @escaping () -> Void) throws(SystemdError) {
        guard isAwake else { return then() }
        settle()
        for entry in formatter.due(at: nil) { JournalWriter.write(entry) }
        log(formatter.fallingAsleep(in: scene))
        recording.sleep()
        world.player?.sleep(fadeOut: min(configuration.playback.fadeOut, timeout / 2))
        handle(.save(urgently: true))
        wakeups?.pause()
        let wait = try ConditionWait(
            in: loop, until: { [unowned self] in (world.player?.isReleased ?? true) && recording.isComplete },
            before: SystemClock.monotonic.now + timeout
        ) { [unowned self] in
            // The position at which the fade-out began is now known.
            world.pass()
            handle(.save(urgently: true))
            then()
        }
        phase = .sleeping(wait, since: world.now)
        wait.look()
        onNews(.changed)
    }

    /// True if everything is quiet, so that an announced sleep can begin.
    var isAsleep: Bool { if case .sleeping(let wait, _) = phase { !wait.isPending } else { false } }

    /// Continues after the system has woken. Reads the lines before anything is played.
    /// - Parameter sleep: The sleep, or nil for the announced one if the clocks do not show it.
    func wake(from sleep: Sleep?) {
        guard !isEnding else { return }
        world.pass()
        let announced: Duration? = if case .sleeping(_, let since) = phase { since } else { nil }
        let sleep = sleep ?? Sleep(cause: .announced, length: announced.map { world.now - $0 } ?? .zero)
        phase = .awake(after: (sleep, world.now))
        audible.wake()
        world.player?.restartWatch()
        formatter.woke(from: sleep)
        // All level changes up to now are dropped, and only the current levels are used.
        handle(.wake(since: announced ?? world.now - sleep.length, levels: world.readLines()))
        let before = buttons
        for index in buttons.indices {
            buttons[index].wake(levels.level(of: .button(buttons[index].button.name)), at: world.now)
        }
        logFaults(of: buttons, since: before)
        wakeJack()
        recording.wake()
        takeRecorderEvents()
        world.player?.wake(fadeIn: configuration.playback.fadeIn)
        wakeups?.resume()
        noteStall()
        settle()
    }
}
