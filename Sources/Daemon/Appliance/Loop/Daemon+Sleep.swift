import Clocks
import Systemd

/// Sleep: announced by logind, or found out afterwards.
extension Daemon {
    /// How long the fade-out and the closing of the device can take together. logind waits for 5 s (InhibitDelayMaxSec=).
    private static let drowsiness = Duration.seconds(3)
    /// How long the last save can take after that.
    private static let lastSave = Duration.milliseconds(1500)

    // MARK: Found out afterwards

    /// Every `SleepWatch.pace`, and as soon as the system resumes.
    func watchForSleep() {
        scheduleSleepWatch()
        wake(from: sleepWatch.pass(at: host.monotonicTime(), suspended: host.suspendedTime()))
    }

    /// SIGCONT: this runs before the late timer, and before the lines' edges are read.
    func hasContinued() {
        wake(from: sleepWatch.continue(at: host.monotonicTime(), suspended: host.suspendedTime()))
        scheduleSleepWatch()
    }

    /// Another event is about to be handled.
    func lookForSleep() { wake(from: sleepWatch.look(suspended: host.suspendedTime())) }

    private func wake(from sleep: Sleep?) {
        guard let sleep, !isStopping else { return }
        startWatchdogOver()
        // The system can wake for a moment in between, to hibernate: only logind knows when an announced sleep is over.
        if !isAsleep { installation?.wake(from: sleep) }
    }

    // MARK: Announced

    /// Whether logind has announced a sleep that is not over yet.
    var isAsleep: Bool { sleepWatch.announced != nil }

    /// Fades out, closes the device and saves, and then lets the system sleep.
    func fallAsleep() {
        sleepWatch.announce()
        guard let installation, !installation.isEnding else {
            // After a reload, the next installation falls asleep.
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

    /// The announced sleep is over.
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
        let outcome = "when the system sleeps, the sound stops abruptly"
        return JournalEntry(
            .sleepUndelayed,
            "logind does not let Tacet delay sleep (\(reason)): \(outcome). On most systems polkitd is missing.",
            priority: .notice
        ).with(.reason, reason).with(.outcome, outcome)
    }
}
