/// Compares who sent a signal with who should have sent it: the one place for every subscription.
///
/// Nothing else does. Any program can send a signal straight to a connection's unique name, where no match rule applies, and
/// sd-bus accepts every sender for a rule with a well-known name.
public enum BusSender {
    /// The bus itself, whose messages the bus does not let others imitate.
    public static let driver = "org.freedesktop.DBus"

    /// True if a signal comes from the program that is followed.
    /// - Parameters:
    ///   - sender: the unique name that the bus has written into the signal.
    ///   - name: the name that is followed: the driver's, a unique or a well-known one.
    ///   - owner: the unique name of a well-known name's owner; nil if nobody owns it, or if the owner is not known yet.
    public static func isGenuine(_ sender: String, from name: String, ownedBy owner: String?) -> Bool {
        sender == (isWellKnown(name) ? owner : name)
    }

    /// True if another connection can own the name at any time, so that its owner must be tracked.
    static func isWellKnown(_ name: String) -> Bool { name != driver && !name.hasPrefix(":") }
}
