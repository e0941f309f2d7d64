/// The total size of the messages that the bus has not accepted yet. sd-bus counts only the messages, not their bytes.
/// This is a pure value.
struct BusQueue {
    /// The sizes of the last messages. They are the queued messages if the bus has accepted all others.
    private var sizes: [Int] = []
    private(set) var bytes = 0

    /// Adds a message.
    /// - Parameters:
    ///   - size: the approximate number of bytes of the message.
    ///   - queued: the number of messages that are queued now.
    mutating func add(_ size: Int, queued: Int) {
        sizes.append(size)
        bytes += size
        settle(queued: queued)
    }

    /// Removes the messages that the bus has accepted. Messages that were not added here may also be queued. In that
    /// case, the sizes of older messages are used in their place.
    mutating func settle(queued: Int) {
        let accepted = sizes.count - queued
        guard accepted > 0 else { return }
        bytes -= sizes[..<accepted].reduce(0, +)
        sizes.removeFirst(accepted)
    }
}
