import Glibc
import Systemd

extension JournalSource {
    /// The present boot, by this machine's clock as it is set now; nil: the journal is a file's.
    var presentBoot: Chronicle.Boot? {
        guard case .journal = self, let id = BootID.kernel else { return nil }
        // The journal's own clock does not count the time in which the system was suspended.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let monotonic = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        return Chronicle.Boot(id: id, start: HistoryRange.now - monotonic)
    }
}
