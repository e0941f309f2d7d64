import CSystemd
import Glibc

/// Writes structured entries to systemd's journal. Any thread can use it.
public enum Journal {
    /// The severities of syslog.
    public enum Priority: Int, Hashable, Sendable {
        case error = 3, warning, notice, info, debug
    }

    /// Writes an entry. The call waits while the socket of the journal is full, for example because the journal hangs
    /// or because other programs flood it. A thread that must not wait uses a `LogQueue`.
    /// - Parameter fields: names and values. A name consists of upper-case letters, digits and underscores, because the
    ///   journal drops fields with other names. The same name may occur several times.
    /// - Throws: an error if the entry cannot be written. If there is no journal, the call does nothing.
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
