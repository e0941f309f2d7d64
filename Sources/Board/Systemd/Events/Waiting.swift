import Glibc

/// Waiting for descriptors.
public enum Waiting {
    public enum Outcome: Hashable, Sendable {
        case first
        /// One behind the first.
        case other
        /// None of them, in that time; or a UNIX signal came.
        case neither
    }

    /// - Parameters:
    ///   - timeout: nil: for ever.
    ///   - descriptors: as `poll` takes them; one that is negative is never ready.
    public static func wait(_ timeout: Duration?, for descriptors: [pollfd]) -> Outcome {
        var descriptors = descriptors
        // Rounded up: whoever waits for an instant is not to come before it, again and again.
        let milliseconds = timeout.map { Int32(min(($0 / .milliseconds(1)).rounded(.up), 86_400_000)) } ?? -1
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return .neither }
        return descriptors.dropFirst().contains { $0.revents != 0 } ? .other : .first
    }
}
