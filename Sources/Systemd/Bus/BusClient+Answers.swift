import CSystemd
import Glibc

/// Calls that are not waited for, as a program makes them that has many.
extension BusClient {
    public struct Answer: Hashable, Sendable {
        /// The number of the call.
        public let call: UInt64
        public let result: Result<[BusValue], BusError>
    }

    /// Calls a method, and does not wait for its results: `nextAnswer` has them.
    /// - Returns: the call's number.
    public func post(
        _ member: String, of interface: String, at path: String, on destination: String, _ arguments: [BusValue] = []
    ) throws(SystemdError) -> UInt64 {
        var call: OpaquePointer?
        try check(
            sd_bus_message_new_method_call(bus, &call, destination, path, interface, member), "call \(member)")
        defer { sd_bus_message_unref(call) }
        guard let call else { throw SystemdError("call \(member)", code: ENOMEM) }
        try BusMessage(message: call).append(arguments)
        var number: UInt64 = 0
        try check(sd_bus_send(bus, call, &number), "call \(member)")
        return number
    }

    /// The next answer to a call that was not waited for, as they come; nil where none comes in that time.
    public func nextAnswer(within timeout: Duration) throws(SystemdError) -> Answer? {
        let deadline = ContinuousClock.now + timeout
        while true {
            var message: OpaquePointer?
            let isBusy = try check(sd_bus_process(bus, &message), "read from the bus") > 0
            if let message {
                defer { sd_bus_message_unref(message) }
                if let answer = try BusClient.answer(message) { return answer }
            }
            if isBusy { continue }
            let left = deadline - ContinuousClock.now
            guard left > .zero else { return nil }
            let code = sd_bus_wait(bus, left.microseconds)
            if code != -EINTR { try check(code, "wait for the bus") }
        }
    }

    /// What a message answers; nil where it is no answer.
    private static func answer(_ message: OpaquePointer) throws(SystemdError) -> Answer? {
        var call: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(message, &call) >= 0 else { return nil }
        guard let error = sd_bus_message_get_error(message) else {
            return Answer(call: call, result: .success(try BusMessage(message: message).values()))
        }
        return Answer(
            call: call,
            result: .failure(
                BusError(
                    error.pointee.name.map { String(cString: $0) } ?? "",
                    error.pointee.message.map { String(cString: $0) } ?? "")))
    }
}
