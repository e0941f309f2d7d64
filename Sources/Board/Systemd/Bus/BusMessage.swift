import CSystemd
import Glibc

/// Writes or reads the values of an sd-bus message.
struct BusMessage {
    let message: OpaquePointer

    // MARK: Writing

    func append(_ values: [BusValue]) throws(SystemdError) {
        for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(SystemdError) {
        switch value {
        case .byte(let value): try append("y", value)
        // sd-bus reads a C int, and D-Bus sends 32 bits.
        case .bool(let value): try append("b", Int32(value ? 1 : 0))
        case .int16(let value): try append("n", value)
        case .uint16(let value): try append("q", value)
        case .int32(let value): try append("i", value)
        case .uint32(let value): try append("u", value)
        case .int64(let value): try append("x", value)
        case .uint64(let value): try append("t", value)
        case .double(let value): try append("d", value)
        case .string(let text): try append("s", text: text)
        case .objectPath(let text): try append("o", text: text)
        case .signature(let text): try append("g", text: text)
        case .array(let element, let values): try enclose("a", element, values)
        case .structure(let members): try enclose("r", members.map(\.signature).joined(), members)
        case .entry(let key, let value): try enclose("e", key.signature + value.signature, [key, value])
        case .variant(let value): try enclose("v", value.signature, [value])
        // sd-bus duplicates it.
        case .descriptor(let descriptor): try append("h", descriptor.number)
        }
    }

    private func append(_ type: Character, _ value: some BitwiseCopyable) throws(SystemdError) {
        let code = withUnsafePointer(to: value) { sd_bus_message_append_basic(message, type.busType, $0) }
        try check(code, "write a message")
    }

    private func append(_ type: Character, text: String) throws(SystemdError) {
        try check(
            text.withCString { sd_bus_message_append_basic(message, type.busType, $0) }, "write a message")
    }

    private func enclose(_ type: Character, _ contents: String, _ values: [BusValue]) throws(SystemdError) {
        try check(sd_bus_message_open_container(message, type.busType, contents), "write a message")
        try append(values)
        try check(sd_bus_message_close_container(message), "write a message")
    }

    // MARK: Reading

    /// All values of the message.
    func values() throws(SystemdError) -> [BusValue] {
        var values: [BusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private func next() throws(SystemdError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(sd_bus_message_peek_type(message, &type, &contents), "read a message") > 0 else { return nil }
        switch Character(UnicodeScalar(UInt8(bitPattern: type))) {
        case "y": return .byte(try read(type, 0))
        case "b": return .bool(try read(type, 0 as Int32) != 0)
        case "n": return .int16(try read(type, 0))
        case "q": return .uint16(try read(type, 0))
        case "i": return .int32(try read(type, 0))
        case "u": return .uint32(try read(type, 0))
        case "x": return .int64(try read(type, 0))
        case "t": return .uint64(try read(type, 0))
        case "d": return .double(try read(type, 0))
        case "s": return .string(try text(type))
        case "o": return .objectPath(try text(type))
        case "g": return .signature(try text(type))
        case "a":
            let element = contents.map { String(cString: $0) } ?? ""
            return .array(of: element, try inside(type, contents))
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
            // The message closes its own.
            let number = fcntl(try read(type, -1 as Int32), F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { throw SystemdError("read a message", code: errno) }
            return .descriptor(BusDescriptor(number))
        default: throw SystemdError("read a message", code: EBADMSG)
        }
    }

    private func read<Value: BitwiseCopyable>(_ type: CChar, _ zero: Value) throws(SystemdError) -> Value {
        var value = zero
        try check(sd_bus_message_read_basic(message, type, &value), "read a message")
        return value
    }

    private func text(_ type: CChar) throws(SystemdError) -> String {
        var text: UnsafePointer<CChar>?
        try check(sd_bus_message_read_basic(message, type, &text), "read a message")
        return text.map { String(cString: $0) } ?? ""
    }

    private func inside(_ type: CChar, _ contents: UnsafePointer<CChar>?) throws(SystemdError) -> [BusValue] {
        try check(sd_bus_message_enter_container(message, type, contents), "read a message")
        let values = try values()
        try check(sd_bus_message_exit_container(message), "read a message")
        return values
    }
}

extension Character {
    fileprivate var busType: CChar { CChar(bitPattern: asciiValue ?? 0) }
}
