import Glibc
import Threads

/// Judges whether the device still accepts frames: a pure machine.
///
/// It runs on control, from what the render thread published, because that thread may itself be blocked inside the
/// device's library. Times are nanoseconds of CLOCK_MONOTONIC.
struct DeviceWatch {
    enum Verdict: Hashable {
        /// No device is in use: nothing to watch until the next order.
        case idle
        /// All is well; look again after so many nanoseconds.
        case lookAgain(after: Int)
        /// It has accepted nothing for longer than the patience.
        case lost
    }

    /// How long a device may accept nothing.
    let patience: Int
    /// How long it may take to open: a Bluetooth or network sink needs seconds.
    let openingPatience: Int

    /// - Parameters:
    ///   - phase: read before `status`, which is posted before the phase changes.
    ///   - isWanted: whether an order to open the device may still be under way.
    func judge(_ phase: DevicePhase, _ status: RenderStatus, isWanted: Bool, at now: Int) -> Verdict {
        if case .closed = phase { return isWanted ? .lookAgain(after: patience) : .idle }
        // A render thread that hangs elsewhere says nothing about the device: that is the watchdog's business.
        let observedAt = phase.isHeldByDevice ? now : status.turnedAt
        let patience = phase == .opening ? openingPatience : patience
        if observedAt - status.acceptedAt > patience { return .lost }
        return .lookAgain(after: max(status.acceptedAt + patience - now, self.patience / 8))
    }
}

/// Waits for a lost device to come back: until something appears in one of the watched folders, a bell is rung, or
/// time is up.
final class ReturnWatch {
    private let descriptor: Int32

    /// Folders that are not there are not watched; where there is no inotify, time alone counts.
    init(_ folders: [String]) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return }
        // A node appears before udev has given it to the group `audio`: its attributes count, too.
        let events = UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVED_TO)
        for folder in folders { inotify_add_watch(descriptor, folder, events) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Returns: whether something has appeared.
    func wait(_ bell: WakeUp, _ timeout: Duration) -> Bool {
        var entries = [
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(clamping: Int((timeout / .milliseconds(1)).rounded(.up)))
        guard poll(&entries, nfds_t(entries.count), max(0, milliseconds)) > 0 else { return false }
        if entries[0].revents != 0 { bell.wait(.zero) }
        let hasAppeared = entries[1].revents != 0
        if hasAppeared { forget() }
        return hasAppeared
    }

    /// What has appeared so far is no news.
    func forget() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}

/// A device that control has given up because it accepted nothing for too long, in the hands of the render thread.
// Not nested in the loop, and without a payload: see `RenderState`.
enum Standstill: Sendable {
    /// None: the device is fed.
    case none
    /// It is not fed, and is asked from time to time whether it has continued.
    case waiting
    /// It has continued, and plays what it holds.
    case draining
    /// It has played that, and what is on its way to the ear is given the time.
    case drained

    var isFed: Bool {
        @_noLocks @_noAllocation get { if case .none = self { true } else { false } }
    }
}
