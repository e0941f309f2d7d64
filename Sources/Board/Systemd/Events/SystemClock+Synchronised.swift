import CSystemd
import Clocks

extension SystemClock {
    /// Whether the kernel says that a time server, or another source, keeps the wall clock right. As systemd decides it:
    /// the kernel knows by how much its clock can be wrong at most.
    public static var isWallClockSynchronised: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.maxerror < 16_000_000
    }
}
