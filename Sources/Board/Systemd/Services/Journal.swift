import CSystemd
import Glibc

/// Writes structured entries to systemd's journal. Any thread can use it.
public enum Journal {
    /// syslog's severities.
    public enum Priority: Int, Hashable, Sendable {
        case error = 3, warning, notice, info, debug
    }

    /// Writes an entry. Waits while the journal's socket is full, which it stays if the journal hangs or others flood it: a
    /// thread that must not wait uses a `LogQueue`.
    /// - Parameter fields: names in upper-case letters, digits and underscores (others are dropped by the journal), and
    ///   values; a name can occur several times.
    /// - Throws: if the entry cannot be written. Without a journal, nothing happens.
    public static func send(_ fields: [(name: String, value: String)]) throws(SystemdError) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for field in fields {
            bytes += "\(field.name)=\(field.value)".utf8
            ends.append(bytes.count)
        }
        let result = bytes.withUnsafeMutableBytes { text -> Int32 in
            var start = 0
            let parts = ends.map { end in
                defer { start = end }
                return iovec(iov_base: text.baseAddress.map { $0 + start }, iov_len: end - start)
            }
            return sd_journal_sendv(parts, Int32(parts.count))
        }
        try check(result, "write to the journal")
    }
}
