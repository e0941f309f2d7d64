/// The size of the messages that wait until the bus accepts them. sd-bus counts messages, but not their bytes. This is
/// a pure value.
struct BusQueue {
    /// The sizes of the last messages, which are the queued ones if the bus has accepted the others.
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

    /// Removes the messages that the bus has accepted. Messages other than these may also be queued. In that case, the
    /// bytes of older ones count for them.
    mutating func settle(queued: Int) {
        let accepted = sizes.count - queued
        guard accepted > 0 else { return }
        bytes -= sizes[..<accepted].reduce(0, +)
        sizes.removeFirst(accepted)
    }
}
