/// How much waits until the bus accepts it: sd-bus counts messages, and not their bytes. Pure.
struct BusQueue {
    /// The sizes of the last messages, which are the queued ones if the bus accepted the others.
    private var sizes: [Int] = []
    private(set) var bytes = 0

    /// - Parameters:
    ///   - size: about how many bytes the message has.
    ///   - queued: how many messages are queued now.
    mutating func add(_ size: Int, queued: Int) {
        sizes.append(size)
        bytes += size
        settle(queued: queued)
    }

    /// The bus has accepted messages. (Others than these may be queued: then the bytes of older ones count for them.)
    mutating func settle(queued: Int) {
        let accepted = sizes.count - queued
        guard accepted > 0 else { return }
        bytes -= sizes[..<accepted].reduce(0, +)
        sizes.removeFirst(accepted)
    }
}
