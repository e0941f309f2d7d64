import CSystemd
import Glibc

/// Reads the entries of systemd's journal, starting with the oldest. It belongs to the thread that created it.
public final class JournalReader {
    public struct Entry: Hashable, Sendable {
        /// The time in µs since 1970, according to the wall clock at that moment.
        public let realtime: UInt64
        /// The time in µs since boot.
        public let monotonic: UInt64
        /// The ID of the boot, in 32 hexadecimal digits.
        public let boot: String
        /// The fields that were requested. A field can have several values.
        public let fields: [String: [String]]
    }

    /// The result of reading the next entry.
    public enum Reading: Hashable, Sendable {
        case entry(Entry)
        /// An entry that is damaged on the disk.
        case damaged
        case end
    }

    private let journal: OpaquePointer

    /// Opens this machine's journal.
    /// - Throws: ENOENT if there is no journal, or EACCES if this user may not read it.
    public init() throws(SystemdError) {
        var opened: OpaquePointer?
        try check(sd_journal_open(&opened, Int32(SD_JOURNAL_LOCAL_ONLY)), "open the journal")
        guard let opened else { throw SystemdError("open the journal", code: ENOMEM) }
        journal = opened
        // libsystemd treats a journal that is missing or that it may not read as an empty one.
        guard sd_journal_has_persistent_files(journal) <= 0, sd_journal_has_runtime_files(journal) <= 0 else { return }
        let exists = access("/var/log/journal", F_OK) == 0 || access("/run/log/journal", F_OK) == 0
        throw SystemdError("open the journal", code: exists && geteuid() != 0 ? EACCES : ENOENT)
    }

    /// Opens the journal files in a folder.
    public init(directory: String) throws(SystemdError) {
        var opened: OpaquePointer?
        try check(sd_journal_open_directory(&opened, directory, 0), "open the journal in \(directory)")
        guard let opened else { throw SystemdError("open the journal in \(directory)", code: ENOMEM) }
        journal = opened
    }

    deinit { sd_journal_close(journal) }

    /// Reads only entries with this value of a field. With several fields, all of them must match. With several values
    /// of one field, any of them must match.
    public func select(_ field: String, _ value: String) throws(SystemdError) {
        let match = Array("\(field)=\(value)".utf8)
        try check(sd_journal_add_match(journal, match, match.count), "search the journal")
    }

    /// Skips entries so that at most this many of the newest ones remain.
    public func skip(toNewest count: Int) throws(SystemdError) {
        try check(sd_journal_seek_tail(journal), "search the journal")
        let skipped = try check(sd_journal_previous_skip(journal, UInt64(count) + 1), "search the journal")
        if skipped <= count { try check(sd_journal_seek_head(journal), "search the journal") }
    }

    /// Reads the next entry.
    /// - Parameters:
    ///   - longest: the maximum length of a value in bytes. Longer values are omitted.
    ///   - isWanted: returns true if a field with this name is to be read.
    public func next(longest: Int, fields isWanted: (String) -> Bool) throws(SystemdError) -> Reading {
        // The library truncates a value at this length. A truncated value, together with the name, is then longer than
        // requested, so it is recognised.
        let nameLimit = 64
        try check(sd_journal_set_data_threshold(journal, longest + nameLimit + 2), "read the journal")
        guard try check(sd_journal_next(journal), "read the journal") > 0 else { return .end }
        var realtime: UInt64 = 0
        var monotonic: UInt64 = 0
        var boot = sd_id128_t()
        guard sd_journal_get_realtime_usec(journal, &realtime) >= 0,
            sd_journal_get_monotonic_usec(journal, &monotonic, &boot) >= 0
        else { return .damaged }
        var fields: [String: [String]] = [:]
        sd_journal_restart_data(journal)
        while true {
            var data: UnsafeRawPointer?
            var count = 0
            let result = sd_journal_enumerate_available_data(journal, &data, &count)
            if result == -EBADMSG || result == -EADDRNOTAVAIL { return .damaged }
            guard try check(result, "read the journal") > 0, let data else { break }
            let bytes = UnsafeRawBufferPointer(start: data, count: count)
            guard let end = bytes.firstIndex(of: UInt8(ascii: "=")), count - end - 1 <= longest else { continue }
            let name = String(decoding: bytes[..<end], as: UTF8.self)
            if isWanted(name) {
                fields[name, default: []].append(String(decoding: bytes[(end + 1)...], as: UTF8.self))
            }
        }
        return .entry(Entry(realtime: realtime, monotonic: monotonic, boot: JournalReader.text(boot), fields: fields))
    }

    private static func text(_ id: sd_id128_t) -> String {
        withUnsafeBytes(of: id) { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
