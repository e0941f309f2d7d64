import Vocabulary

/// Parses the journal's export format (https://systemd.io/JOURNAL_EXPORT_FORMATS) incrementally.
///
/// Entries are separated by empty lines. A field is `NAME=value`. If the value is not plain text on one line, the field
/// consists of the name, the value's length in eight bytes (little-endian), and the value. Entries of other programs
/// are skipped. Values longer than any message are dropped, so memory is bounded whatever lengths the text states.
struct ExportParser {
    /// An error which means that the text is not in the export format.
    struct NoExport: Error {
        /// The number of the line, counted from 1.
        let line: Int
    }

    private static let longestValue = JournalRecord.longestValue
    private static let longestName = 64

    private enum State {
        case line
        /// Within the length of a binary value. `bytes` are the ones that have been read so far.
        case length(name: String, bytes: [UInt8])
        case value(name: String, left: UInt64)
    }

    /// The number of Tacet's entries that lack a time or a boot, or are incomplete.
    private(set) var damaged = 0
    private(set) var records: [JournalRecord] = []
    /// The ends of processes of any service.
    private(set) var exits: [ProcessExit] = []
    private var state = State.line
    private var buffer: [UInt8] = []
    /// True if the line or value is longer than the part that is kept.
    private var isTooLong = false
    private var fields: [String: [String]] = [:]
    private var line = 1

    mutating func feed(_ bytes: some Sequence<UInt8>) throws(NoExport) {
        for byte in bytes { try take(byte) }
    }

    /// Ends the parsing. Call it once, at the end of the text.
    mutating func finish() throws(NoExport) {
        // An entry without an empty line at its end is incomplete, so fields may be missing.
        if !fields.isEmpty { damaged += 1 }
        if case .line = state, !buffer.isEmpty, fields.isEmpty, records.isEmpty { throw NoExport(line: line) }
        fields = [:]
    }

    private mutating func take(_ byte: UInt8) throws(NoExport) {
        switch state {
        case .line:
            guard byte == UInt8(ascii: "\n") else { return keep(byte) }
            try endLine()
            line += 1
        case .length(let name, var bytes):
            bytes.append(byte)
            state = .length(name: name, bytes: bytes)
            guard bytes.count == 8 else { return }
            state = .value(name: name, left: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        case .value(let name, 0):
            // A line break must follow the value.
            guard byte == UInt8(ascii: "\n") else { throw NoExport(line: line) }
            add(name)
            state = .line
            line += 1
        case .value(let name, let left):
            keep(byte)
            state = .value(name: name, left: left - 1)
        }
    }

    private mutating func keep(_ byte: UInt8) {
        if buffer.count < Self.longestValue { buffer.append(byte) } else { isTooLong = true }
    }

    private mutating func endLine() throws(NoExport) {
        guard !buffer.isEmpty else { return endEntry() }
        let end = buffer.firstIndex(of: UInt8(ascii: "=")) ?? buffer.endIndex
        guard let name = Self.name(buffer[..<end]) else { throw NoExport(line: line) }
        if end == buffer.endIndex {
            state = .length(name: name, bytes: [])
            buffer = []
        } else {
            buffer.removeFirst(end + 1)
            add(name)
        }
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        let isName =
            (1...longestName).contains(bytes.count)
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        return isName ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private mutating func add(_ name: String) {
        defer {
            buffer = []
            isTooLong = false
        }
        guard !isTooLong, JournalRecord.reads(name) else { return }
        fields[name, default: []].append(String(decoding: buffer, as: UTF8.self))
    }

    private mutating func endEntry() {
        defer { fields = [:] }
        guard let event = fields[JournalField.event.name]?.first else { return endForeignEntry() }
        guard let realtime = fields["__REALTIME_TIMESTAMP"]?.first.flatMap({ Int64($0) }), realtime >= 0,
            let monotonic = fields["__MONOTONIC_TIMESTAMP"]?.first.flatMap({ Int64($0) }), monotonic >= 0,
            let boot = fields["_BOOT_ID"]?.first
        else {
            damaged += 1
            return
        }
        records.append(
            JournalRecord(realtime: realtime, monotonic: monotonic, boot: boot, event: event, fields: fields))
    }

    private mutating func endForeignEntry() {
        guard let monotonic = fields["__MONOTONIC_TIMESTAMP"]?.first.flatMap({ Int64($0) }), monotonic >= 0,
            let boot = fields["_BOOT_ID"]?.first,
            let exit = ProcessExit(monotonic: monotonic, boot: boot, fields: fields)
        else { return }
        exits.append(exit)
    }
}
