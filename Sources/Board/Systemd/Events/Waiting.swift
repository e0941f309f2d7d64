import Glibc

/// Waiting for descriptors.
public enum Waiting {
    public enum Outcome: Hashable, Sendable {
        case first
        /// One after the first.
        case other
        /// None of them within the timeout, or a UNIX signal interrupted the wait.
        case neither
    }

    /// - Parameters:
    ///   - timeout: nil: without a limit.
    ///   - descriptors: as `poll` takes them; one that is negative is never ready.
    public static func wait(_ timeout: Duration?, for descriptors: [pollfd]) -> Outcome {
        var descriptors = descriptors
        // Rounded up: a caller that waits for an instant would otherwise wake repeatedly just before it.
        let milliseconds = timeout.map { Int32(min(($0 / .milliseconds(1)).rounded(.up), 86_400_000)) } ?? -1
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return .neither }
        return descriptors.dropFirst().contains { $0.revents != 0 } ? .other : .first
    }
}
