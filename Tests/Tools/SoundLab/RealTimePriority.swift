import Threads

/// Whether programs get the real-time priority that Tacet asks for. Without it, Tacet works, but reports that there may be
/// gaps, so its health is never good. An ordinary user does not get it by default.
public enum RealTimePriority {
    public static let isAllowed: Bool = {
        let isAllowed = Locked(false)
        let thread = NativeThread("priority-test") {
            let reason = NativeThread.becomeRealTime(priority: 1)
            isAllowed.withLock { $0 = reason == nil }
        }
        guard let thread, thread.join(within: .seconds(10)) else { return false }
        return isAllowed.withLock { $0 }
    }()
}
