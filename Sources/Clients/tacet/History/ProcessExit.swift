/// The end of a service's main process, as systemd logged it.
///
/// A daemon that is killed cannot log anything, but the service manager notices it within milliseconds.
struct ProcessExit: Hashable {
    /// The time in µs since the boot.
    let monotonic: Int64
    /// The boot's ID.
    let boot: String
    /// The start of the service to which the process belonged.
    let invocation: String

    /// The fields that select these entries in the journal. They select systemd's message “Main process exited” and
    /// systemd's own process, so that no other program can forge such an entry.
    static let selection = [("MESSAGE_ID", "98e322203f7a4ed290d09fe03c09fe15"), ("_PID", "1")]

    /// - Parameter fields: the fields as in the journal, with their prefix.
    /// - Returns: nil if it is another entry.
    init?(monotonic: Int64, boot: String, fields: [String: [String]]) {
        guard Self.selection.allSatisfy({ fields[$0]?.first == $1 }), let invocation = fields["INVOCATION_ID"]?.first
        else { return nil }
        self.monotonic = monotonic
        self.boot = boot
        self.invocation = invocation
    }
}
