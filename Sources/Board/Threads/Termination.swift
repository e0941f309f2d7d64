import Glibc

/// Ends the program on SIGTERM and SIGINT.
public enum Termination {
    /// Rings when the end is requested.
    public static let bell = WakeUp()
    nonisolated(unsafe) private static var wasRequested: sig_atomic_t = 0

    /// Handles the signals from now on.
    public static func install() {
        // The wake-up must exist before the handler, which must not create it.
        _ = bell
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                Termination.wasRequested = 1
                Termination.bell.ring()
            }
        }
    }

    public static var isRequested: Bool { wasRequested != 0 }
}
