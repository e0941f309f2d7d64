import CSystemd
import Glibc

/// Without waiting for each answer.
extension BusClient {
    /// Readable when `next` may have something.
    public var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// Calls a method, and does not wait.
    /// - Returns: the number that the answer will have.
    public func start(
        _ member: String, of interface: String, at path: String, on destination: String, _ arguments: [BusValue] = []
    ) throws(SystemdError) -> UInt64 {
        let call = try make(member, interface, path, destination, arguments)
        defer { sd_bus_message_unref(call) }
        var number: UInt64 = 0
        try check(sd_bus_send(bus, call, &number), "call \(member)")
        return number
    }

    /// What has come next. Never waits.
    /// - Returns: nil where there is nothing yet.
    /// - Throws: where the bus is gone; the connection is of no more use then.
    public func next() throws(SystemdError) -> BusNews? {
        while true {
            var message: OpaquePointer?
            let progress = try check(sd_bus_process(bus, &message), "listen to the bus")
            defer { sd_bus_message_unref(message) }
            if let message, let news = BusNews(message) { return news }
            if progress == 0 { return nil }
        }
    }

    /// Waits until `next` may have something, or one of the others is ready, for so long at most.
    /// - Parameter timeout: nil: for ever.
    /// - Returns: whether it was none of the others.
    /// - Throws: where the bus is gone.
    public func wait(_ timeout: Duration?, or others: [pollfd] = []) throws(SystemdError) -> Bool {
        let events = try check(sd_bus_get_events(bus), "listen to the bus")
        var due: UInt64 = 0
        try check(sd_bus_get_timeout(bus, &due), "listen to the bus")
        // sd-bus has deadlines of its own, such as that of the first greeting.
        let own = Int64(exactly: due).map { max(.zero, .microseconds($0) - EventClock.monotonic.now) }
        let mine = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        return Waiting.wait([timeout, own].compactMap { $0 }.min(), for: [mine] + others) != .other
    }
}
