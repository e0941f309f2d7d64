import CSystemd
import Clocks

extension SystemClock {
    /// True if, according to the kernel, a time server or another source keeps the wall clock correct. Like systemd,
    /// this uses the maximum error of the clock in the kernel.
    public static var isWallClockSynchronised: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.maxerror < 16_000_000
    }
}
