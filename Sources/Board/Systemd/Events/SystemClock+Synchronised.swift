import CSystemd
import Clocks

extension SystemClock {
    /// True if, according to the kernel, the wall clock is synchronised with a time server or another source. Like
    /// systemd, this property uses the kernel's estimate of the clock's maximum error.
    public static var isWallClockSynchronised: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.maxerror < 16_000_000
    }
}
