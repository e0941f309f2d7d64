import CSystemd
import Glibc

/// Writes the values of an sd-bus message. `BusReader` reads them.
struct BusMessage {
    let message: OpaquePointer

    func append(_ values: [BusValue]) throws(SystemdError) {
        for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(SystemdError) {
        switch value {
        case .byte(let value): try append("y", value)
        // sd-bus reads a C int, of which D-Bus sends 32 bits.
        case .bool(let value): try append("b", Int32(value ? 1 : 0))
        case .int16(let value): try append("n", value)
        case .uint16(let value): try append("q", value)
        case .int32(let value): try append("i", value)
        case .uint32(let value): try append("u", value)
        case .int64(let value): try append("x", value)
        case .uint64(let value): try append("t", value)
        case .double(let value): try append("d", value)
        case .string(let text): try append("s", text: text.acceptedByBus)
        case .objectPath(let text): try append("o", text: text)
        case .signature(let text): try append("g", text: text)
        case .array(let element, let values): try enclose("a", element, values)
        case .bytes(let bytes):
            let code = bytes.withUnsafeBytes {
                sd_bus_message_append_array(message, Character("y").busType, $0.baseAddress, $0.count)
            }
            try check(code, "write a message")
        case .structure(let members): try enclose("r", members.map(\.signature).joined(), members)
        case .entry(let key, let value): try enclose("e", key.signature + value.signature, [key, value])
        case .variant(let value): try enclose("v", value.signature, [value])
        // sd-bus duplicates the descriptor.
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
}

extension String {
    /// The text without the characters for which sd-bus rejects the whole message. The text ends before the first NUL
    /// character. Unicode noncharacters, which file names may contain, become U+FFFD.
    fileprivate var acceptedByBus: String {
        guard unicodeScalars.contains(where: \.isRefused) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isRefused ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isRefused: Bool { value == 0 || properties.isNoncharacterCodePoint }
}

extension Character {
    fileprivate var busType: CChar { CChar(bitPattern: asciiValue ?? 0) }
}
