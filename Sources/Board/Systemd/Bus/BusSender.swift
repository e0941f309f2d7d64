/// Compares the sender of a signal with the expected sender. Every subscription must use this check.
///
/// Neither the bus nor sd-bus makes this comparison. Any program can send a signal directly to the unique name of a
/// connection, and match rules do not apply to such signals. If a rule contains a well-known name, sd-bus accepts every
/// sender.
public enum BusSender {
    /// The bus itself, whose messages other programs cannot imitate.
    public static let driver = "org.freedesktop.DBus"

    /// True if a signal comes from the program that is followed.
    /// - Parameters:
    ///   - sender: the unique name that the bus has written into the signal.
    ///   - name: the name that is followed. It is the name of the driver, a unique name or a well-known name.
    ///   - owner: the unique name of the owner of a well-known name, or nil if the name does not have an owner, or if
    ///     the owner is not known yet.
    public static func isGenuine(_ sender: String, from name: String, ownedBy owner: String?) -> Bool {
        sender == (isWellKnown(name) ? owner : name)
    }

    /// True if an answer may come from the program that was called. The owner of a well-known name can change during the
    /// call, so its answer is accepted from any program, of which the bus allows only the one that received the call.
    /// - Parameter sender: the unique name of the program, or another name or nil if the bus or sd-bus itself answers.
    static func canAnswer(_ sender: String?, for destination: String) -> Bool {
        guard let sender, sender.hasPrefix(":"), destination.hasPrefix(":") else { return true }
        return sender == destination
    }

    /// True if another connection can own the name at any time, so that its owner must be tracked.
    static func isWellKnown(_ name: String) -> Bool { name != driver && !name.hasPrefix(":") }
}
