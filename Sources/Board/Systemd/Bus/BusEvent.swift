import CSystemd
import Glibc

/// A message that `BusClient.next` returns, which is a signal or the answer to a call.
public enum BusEvent: Hashable, Sendable {
    case signal(Signal)
    /// The answer to the call for which `start` returned this number.
    case answer(to: UInt64, Result<[BusValue], BusError>)

    public struct Signal: Hashable, Sendable {
        /// The unique name of the sender, such as ":1.7". The bus guarantees that it is genuine.
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

    /// The header of a signal, which is checked before any of the body is read.
    public struct Head: Hashable, Sendable {
        /// The unique name of the sender, such as ":1.7". The bus guarantees that it is genuine.
        public let sender: String
        public let path: String
        public let interface: String
        public let member: String
        /// The types of the values, in D-Bus notation.
        public let signature: String
    }

    /// Creates an event from a message.
    /// - Parameter isExpected: returns true if the body of a signal with this header is to be read.
    /// - Returns: nil for other messages, and for those that cannot be read or that exceed the limits of `BusReader`.
    init?(_ message: OpaquePointer, where isExpected: (Head) -> Bool) {
        var type: UInt8 = 0
        sd_bus_message_get_type(message, &type)
        // The cases are the numbers of the message types in the D-Bus specification.
        switch type {
        case 2, 3:
            var call: UInt64 = 0
            sd_bus_message_get_reply_cookie(message, &call)
            guard let answer = BusEvent.answer(in: message) else { return nil }
            self = .answer(to: call, answer)
        case 4:
            guard let head = Head(message), isExpected(head), let signal = Signal(message, head) else { return nil }
            self = .signal(signal)
        default: return nil
        }
    }

    /// Returns the answer in a message.
    /// - Returns: nil if the message is not an answer.
    static func answer(in message: OpaquePointer) -> Result<[BusValue], BusError>? {
        if let error = sd_bus_message_get_error(message) { return .failure(BusError(error.pointee, code: EIO)) }
        guard sd_bus_message_is_method_error(message, nil) <= 0 else { return nil }
        let values = Result { () throws(SystemdError) in try BusReader.read(message, upTo: .answer).values }
        return values.mapError { .failed("\($0)") }
    }
}

extension BusEvent.Head {
    /// Reads the header of a message.
    /// - Returns: nil if a name is too long.
    init?(_ message: OpaquePointer) {
        guard let sender = BusReader.name(sd_bus_message_get_sender(message)),
            let path = BusReader.name(sd_bus_message_get_path(message)),
            let interface = BusReader.name(sd_bus_message_get_interface(message)),
            let member = BusReader.name(sd_bus_message_get_member(message)),
            let signature = BusReader.name(sd_bus_message_get_signature(message, 1))
        else { return nil }
        self.init(sender: sender, path: path, interface: interface, member: member, signature: signature)
    }
}

extension BusEvent.Signal {
    public var head: BusEvent.Head {
        BusEvent.Head(
            sender: sender, path: path, interface: interface, member: member,
            signature: values.map(\.signature).joined())
    }

    /// Reads the body of a signal.
    /// - Returns: nil if the body cannot be read or exceeds the limit.
    init?(_ message: OpaquePointer, _ head: BusEvent.Head) {
        do throws(SystemdError) {
            self.init(
                sender: head.sender, path: head.path, interface: head.interface, member: head.member,
                values: try BusReader.read(message, upTo: .signal).values)
        } catch { return nil }
    }
}
