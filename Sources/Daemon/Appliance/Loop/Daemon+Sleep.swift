import Clocks
import Systemd

/// Handles sleep, which logind announces or which is detected afterwards.
extension Daemon {
    /// The longest time for the fade-out and the closing of the device together. logind waits for 5 s
    /// (InhibitDelayMaxSec=).
    private static let drowsiness = Duration.seconds(3)
    /// The longest time for the last save after that.
    private static let lastSave = Duration.milliseconds(1500)

    // MARK: Detected afterwards

    /// Checks for a sleep regularly, and as soon as the system resumes. Also reads the lines again.
    func watchForSleep() {
        scheduleSleepWatch()
        lookForSleep()
        // This shares the wake-up.
        installation?.rereadLevels()
    }

    /// Handles SIGCONT. This runs before the late timers and before the lines' edges are read, but after SIGTERM.
    func hasContinued() {
        wake(from: sleepWatch.continue(at: host.monotonicTime(), suspended: host.suspendedTime()))
    }

    /// Checks for a sleep before another event is handled.
    func lookForSleep() {
        wake(from: sleepWatch.look(at: host.monotonicTime(), suspended: host.suspendedTime()))
    }

    private func wake(from sleep: Sleep?) {
        guard let sleep, !isStopping else { return }
        startWatchdogOver()
        // The system may wake briefly in order to hibernate. Only logind can determine when an announced sleep is over.
        if !isAsleep { installation?.wake(from: sleep) }
    }

    // MARK: Announced

    /// True if logind has announced a sleep that is not over yet.
    var isAsleep: Bool { sleepWatch.announced != nil }

    /// Fades out, closes the device, saves the state, and then lets the system sleep.
    func fallAsleep() {
        sleepWatch.announce()
        guard let installation, !installation.isEnding else {
            // After a reload, the next installation prepares for the sleep.
            if isStopping { inhibitor?.allowSleep() }
            return
        }
        do throws(SystemdError) {
            try installation.sleep(within: Self.drowsiness) { [unowned self] in
                inhibitor?.allowSleep(
                    once: { [unowned self] in saver.writer.isIdle }, before: SystemClock.monotonic.now + Self.lastSave)
            }
        } catch { fail(error) }
    }

    /// Ends the announced sleep.
    func wakeUp() {
        guard isAsleep else { return }
        lookForSleep()
        let length = sleepWatch.endAnnounced()
        guard !isStopping else { return }
        startWatchdogOver()
        installation?.wake(from: length > .zero ? Sleep(cause: .suspended, length: length) : nil)
        reloadIfDue()
    }

    static func undelayed(_ reason: String) -> JournalEntry {
        let outcome = "the sound stops abruptly when the system sleeps"
        return JournalEntry(
            .sleepUndelayed,
            "logind does not let Tacet delay sleep (\(reason)), so \(outcome). Usually polkitd is missing.",
            priority: .notice
        ).with(.reason, reason).with(.outcome, outcome)
    }
}
