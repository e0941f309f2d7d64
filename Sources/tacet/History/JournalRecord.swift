/// One of Tacet's entries in the journal, as it was read back.
struct JournalRecord: Hashable {
    /// In µs since 1970, by the clock as it was set then. It may have jumped since.
    var realtime: Int64
    /// In µs since the boot. It does not jump.
    var monotonic: Int64
    /// The boot's own identifier.
    var boot: String
    /// The process that wrote it; nil: an export without it.
    var process: String?
    /// `TACET_EVENT`
    var event: String
    var message: String
    /// Those that begin with `TACET_`, without that; a field may be there several times.
    var fields: [String: [String]]

    /// A field's first value.
    subscript(_ field: String) -> String? { fields[field]?.first }
    var signals: [String] { fields["SIGNAL"] ?? [] }
}
