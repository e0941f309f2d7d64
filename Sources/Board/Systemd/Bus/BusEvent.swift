import CSystemd
import Glibc

/// A message that `BusClient.next` returns: a signal, or the answer to a call.
public enum BusEvent: Hashable, Sendable {
    case signal(Signal)
    /// The answer to the call for which `start` returned this number.
    case answer(to: UInt64, Result<[BusValue], BusError>)

    public struct Signal: Hashable, Sendable {
        /// The sender's unique name, e.g. ":1.7". The bus guarantees that it is genuine.
        public let sender: String
        public let path: String
        public let interface: String
        public let member: String
        public let values: [BusValue]

        public init(sender: String, path: String, interface: String, member: String, values: [BusValue]) {
            self.sender = sender
            self.path = path
            self.interface = interface
            self.member = member
            self.values = values
        }
    }

    /// - Returns: nil for other messages, and for those that cannot be read.
    init?(_ message: OpaquePointer) {
        var type: UInt8 = 0
        sd_bus_message_get_type(message, &type)
        var call: UInt64 = 0
        sd_bus_message_get_reply_cookie(message, &call)
        // The message types' numbers in the specification.
        switch type {
        case 2:
            let values = Result { () throws(SystemdError) in try BusMessage(message: message).values() }
            self = .answer(to: call, values.mapError { .failed("\($0)") })
        case 3:
            guard let error = sd_bus_message_get_error(message) else { return nil }
            self = .answer(to: call, .failure(BusError(error.pointee, code: EIO)))
        case 4:
            guard let values = try? BusMessage(message: message).values() else { return nil }
            func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
            self = .signal(
                Signal(
                    sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
                    interface: text(sd_bus_message_get_interface(message)),
                    member: text(sd_bus_message_get_member(message)), values: values))
        default: return nil
        }
    }
}
