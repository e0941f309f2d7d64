import CJansson

/// A JSON text, parsed by jansson. The syntax and the UTF-8 must be valid, duplicate keys are rejected, and
/// `JSONBounds` applies.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The error in a text, for its sender.
    struct Malformed: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    init(_ bytes: [UInt8]) throws(Malformed) {
        if let excess = bytes.withUnsafeBytes(JSONBounds.excess) { throw Malformed(description: excess) }
        var error = json_error_t()
        let root = bytes.withUnsafeBytes { text in
            json_loadb(
                text.baseAddress, text.count, Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL), &error)
        }
        guard let root else {
            let message = withUnsafeBytes(of: error.text) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw Malformed(
                description: "this is not valid JSON: line \(error.line), column \(error.column): \(message)")
        }
        defer { cjansson_release(root) }
        self.init(root)
    }

    private init(_ value: UnsafeMutablePointer<json_t>) {
        switch cjansson_type(value) {
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_INTEGER: self = .integer(Int64(json_integer_value(value)))
        case JSON_REAL: self = .number(json_real_value(value))
        case JSON_STRING:
            let bytes = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
            self = .string(String(decoding: bytes, as: UTF8.self))
        case JSON_ARRAY:
            self = .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map { JSONValue($0) } })
        case JSON_OBJECT:
            var members: [String: JSONValue] = [:]
            var iterator = json_object_iter(value)
            while let member = iterator {
                if let key = json_object_iter_key(member), let value = json_object_iter_value(member) {
                    members[String(cString: key)] = JSONValue(value)
                }
                iterator = json_object_iter_next(value, member)
            }
            self = .object(members)
        default: self = .null
        }
    }

    /// The kind of value for error messages, such as `a string`.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
