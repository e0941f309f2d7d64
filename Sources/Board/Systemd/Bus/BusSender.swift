/// Compares the sender of a signal with the expected sender. Every subscription uses this check.
///
/// Nothing else makes this comparison. Any program can send a signal directly to the unique name of a connection, to
/// which no match rule applies, and sd-bus accepts every sender for a rule with a well-known name.
public enum BusSender {
    /// The bus itself, whose messages other programs cannot imitate.
    public static let driver = "org.freedesktop.DBus"

    /// True if a signal comes from the program that is followed.
    /// - Parameters:
    ///   - sender: the unique name that the bus has written into the signal.
    ///   - name: the name that is followed, which is that of the driver, a unique name or a well-known name.
    ///   - owner: the unique name of the owner of a well-known name, or nil if it has none, or if the owner is not
    ///     known
    ///     yet.
    public static func isGenuine(_ sender: String, from name: String, ownedBy owner: String?) -> Bool {
        sender == (isWellKnown(name) ? owner : name)
    }

    /// True if another connection can own the name at any time, so that its owner must be tracked.
    static func isWellKnown(_ name: String) -> Bool { name != driver && !name.hasPrefix(":") }
}
