import Glibc

/// Waits for a lost device to return. The wait ends when something appears in one of the watched folders, when a bell
/// is rung, or when the time is up.
// This class has its own inotify descriptor because a real-time thread does not have an event loop. The thread polls
// this descriptor together with its bell.
package final class ReturnWatch {
    private let descriptor: Int32

    /// Starts to watch the folders. Missing folders are ignored. If inotify is not available, only the bell and the
    /// timeout end a wait.
    package init(_ folders: [String]) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return }
        // A device node appears before udev has assigned it to the `audio` group, so watch the attributes as well.
        let events = UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVED_TO)
        for folder in folders { inotify_add_watch(descriptor, folder, events) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Waits until something appears, the bell is rung, or the time is up.
    /// - Returns: true if something has appeared.
    package func wait(_ bell: WakeUp, _ timeout: Duration) -> Bool {
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

    /// Waits for the next pause of a backoff, and restarts the backoff if something appears.
    /// - Parameter isOver: returns true to end the wait. It is called first, and whenever the bell has been rung.
    package func wait(_ bell: WakeUp, _ backoff: inout Backoff, until isOver: () -> Bool) {
        let deadline = ContinuousClock.now + backoff.next()
        while case let left = deadline - ContinuousClock.now, left > .zero, !isOver() {
            if wait(bell, left) { return backoff.restart() }
        }
    }

    /// Ignores everything that has appeared so far.
    package func forget() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
