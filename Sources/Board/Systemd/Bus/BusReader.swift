import CSystemd
import Glibc

/// Reads the values of an sd-bus message up to a limit, because a value needs several times as much memory as its
/// representation in a message.
struct BusReader {
    /// The limit for the values of a message. It applies to the bytes of the texts and byte arrays, plus 16 bytes for
    /// each value.
    enum Limit: Int {
        /// A call, which contains a command or the path of a file.
        case call = 0x1_0000
        /// A signal, which contains the whole state of a session.
        case signal = 0x4_0000
        /// The answer of a program that was queried.
        case answer = 0x40_0000
    }

    /// The maximum length of an object path. D-Bus itself limits all other names to 255 bytes.
    static let longestPath = 1024

    private static let costOfAValue = 16

    private let message: OpaquePointer
    private var left: Int

    init(_ message: OpaquePointer, upTo limit: Limit) {
        self.message = message
        left = limit.rawValue
    }

    /// Returns all values of a message, and the part of the limit that they use.
    /// - Throws: EMSGSIZE if the values exceed the limit.
    static func read(
        _ message: OpaquePointer, upTo limit: Limit
    ) throws(SystemdError) -> (values: [BusValue], cost: Int) {
        var reader = BusReader(message, upTo: limit)
        let values = try reader.values()
        return (values, limit.rawValue - reader.left)
    }

    /// Returns a name in the header of a message, or nil if it is missing or too long.
    static func name(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text, strnlen(text, longestPath + 1) <= longestPath else { return nil }
        return String(cString: text)
    }

    private mutating func spend(_ bytes: Int) throws(SystemdError) {
        left -= bytes
        guard left >= 0 else { throw SystemdError("read a message", code: EMSGSIZE) }
    }

    private mutating func values() throws(SystemdError) -> [BusValue] {
        var values: [BusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private mutating func next() throws(SystemdError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(sd_bus_message_peek_type(message, &type, &contents), "read a message") > 0 else { return nil }
        try spend(Self.costOfAValue)
        switch Character(UnicodeScalar(UInt8(bitPattern: type))) {
        case "y": return .byte(try basic(type, 0))
        case "b": return .bool(try basic(type, 0 as Int32) != 0)
        case "n": return .int16(try basic(type, 0))
        case "q": return .uint16(try basic(type, 0))
        case "i": return .int32(try basic(type, 0))
        case "u": return .uint32(try basic(type, 0))
        case "x": return .int64(try basic(type, 0))
        case "t": return .uint64(try basic(type, 0))
        case "d": return .double(try basic(type, 0))
        case "s": return .string(try text(type))
        case "o": return .objectPath(try text(type))
        case "g": return .signature(try text(type))
        case "a": return try array(type, contents)
        case "r": return .structure(try inside(type, contents))
        case "e":
            let pair = try inside(type, contents)
            guard pair.count == 2 else { throw SystemdError("read a message", code: EBADMSG) }
            return .entry(pair[0], pair[1])
        case "v":
            guard let value = try inside(type, contents).first else {
                throw SystemdError("read a message", code: EBADMSG)
            }
            return .variant(value)
        case "h":
            // The descriptor is duplicated because the message closes its own.
            let number = fcntl(try basic(type, -1 as Int32), F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { throw SystemdError("read a message", code: errno) }
            return .descriptor(BusDescriptor(number))
        default: throw SystemdError("read a message", code: EBADMSG)
        }
    }

    private func basic<Value: BitwiseCopyable>(_ type: CChar, _ zero: Value) throws(SystemdError) -> Value {
        var value = zero
        try check(sd_bus_message_read_basic(message, type, &value), "read a message")
        return value
    }

    private mutating func text(_ type: CChar) throws(SystemdError) -> String {
        var text: UnsafePointer<CChar>?
        try check(sd_bus_message_read_basic(message, type, &text), "read a message")
        guard let text else { return "" }
        try spend(strlen(text))
        return String(cString: text)
    }

    private mutating func array(_ type: CChar, _ contents: UnsafePointer<CChar>?) throws(SystemdError) -> BusValue {
        let element = contents.map { String(cString: $0) } ?? ""
        guard element == "y" else { return .array(of: element, try inside(type, contents)) }
        var bytes: UnsafeRawPointer?
        var count = 0
        try check(
            sd_bus_message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &bytes, &count), "read a message")
        try spend(count)
        return .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)))
    }

    private mutating func inside(
        _ type: CChar, _ contents: UnsafePointer<CChar>?
    ) throws(SystemdError) -> [BusValue] {
        try check(sd_bus_message_enter_container(message, type, contents), "read a message")
        let values = try values()
        try check(sd_bus_message_exit_container(message), "read a message")
        return values
    }
}
