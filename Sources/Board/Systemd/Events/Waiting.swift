import Glibc

/// Waits for descriptors.
public enum Waiting {
    public enum Outcome: Hashable, Sendable {
        case first
        /// One of the descriptors after the first one is ready.
        case other
        /// No descriptor was ready within the timeout, or a UNIX signal interrupted the wait.
        case neither
    }

    /// Waits for descriptors.
    /// - Parameters:
    ///   - timeout: the maximum time to wait, or nil for no limit.
    ///   - descriptors: the descriptors for `poll`. A negative one is never ready.
    public static func wait(_ timeout: Duration?, for descriptors: [pollfd]) -> Outcome {
        var descriptors = descriptors
        // The time is rounded up, because a caller that waits for an instant would otherwise wake up repeatedly just
        // before it.
        let milliseconds = timeout.map { Int32(min(($0 / .milliseconds(1)).rounded(.up), 86_400_000)) } ?? -1
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return .neither }
        return descriptors.dropFirst().contains { $0.revents != 0 } ? .other : .first
    }
}
