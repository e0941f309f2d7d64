import CSystemd
import Clocks
import Glibc

/// Asynchronous calls and signals.
extension BusClient {
    /// Readable when `next` may have a message.
    public var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// The descriptor and the events to wait for, for a program that waits for several connections at once. It must then
    /// call `next` until there is no message, and also at `deadline`.
    package var readiness: pollfd {
        let events = sd_bus_get_events(bus)
        return pollfd(
            fd: descriptor, events: events < 0 ? Int16(POLLIN) : Int16(truncatingIfNeeded: events), revents: 0)
    }

    /// The time on CLOCK_MONOTONIC at which `next` must be called, or nil if there is none.
    package var deadline: Duration? {
        var due: UInt64 = 0
        guard sd_bus_get_timeout(bus, &due) >= 0 else { return nil }
        return Int64(exactly: due).map { .microseconds($0) }
    }

    /// Calls a method without waiting for the answer.
    /// - Returns: the number that the answer contains to refer to this call.
    public func start(
        _ member: String, of interface: String, at path: String, on destination: String, _ arguments: [BusValue] = []
    ) throws(SystemdError) -> UInt64 {
        let call = try make(member, interface, path, destination, arguments)
        defer { sd_bus_message_unref(call) }
        var number: UInt64 = 0
        try check(sd_bus_send(bus, call, &number), "call \(member)")
        return number
    }

    /// Returns the next message without waiting.
    /// - Parameter isExpected: returns true if the body of a signal with this header is to be read. Other signals are
    ///   dropped. Any program can send any signal to this connection, so check the sender (`BusSender`).
    /// - Returns: nil if there is no message yet.
    /// - Throws: an error if the connection is lost. The connection cannot be used again.
    public func next(where isExpected: (BusEvent.Head) -> Bool = { _ in true }) throws(SystemdError) -> BusEvent? {
        while true {
            var message: OpaquePointer?
            let progress = try check(sd_bus_process(bus, &message), "listen to the bus")
            defer { sd_bus_message_unref(message) }
            if let message, let event = BusEvent(message, where: isExpected) { return event }
            if progress == 0 { return nil }
        }
    }

    /// Waits until `next` may have a message, one of the other descriptors is ready, or the time is up.
    /// - Parameter timeout: the maximum time to wait, or nil for no limit.
    /// - Returns: false if another descriptor is ready.
    /// - Throws: an error if the connection is lost.
    public func wait(_ timeout: Duration?, or others: [pollfd] = []) throws(SystemdError) -> Bool {
        let events = try check(sd_bus_get_events(bus), "listen to the bus")
        var due: UInt64 = 0
        try check(sd_bus_get_timeout(bus, &due), "listen to the bus")
        // sd-bus has its own deadlines, for example for the initial handshake.
        let own = Int64(exactly: due).map { max(.zero, .microseconds($0) - SystemClock.monotonic.now) }
        let mine = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        return Waiting.wait([timeout, own].compactMap { $0 }.min(), for: [mine] + others) != .other
    }
}
