/// Limits on a JSON text. A scan that does not allocate memory checks them before a parser builds anything.
///
/// A parsed value takes a hundred times as much memory as its text: 3 MiB of `{},` would take 300 MB.
enum JSONBounds {
    /// The maximum depth of nesting.
    static let deepest = 16
    /// The maximum number of values and names.
    static let mostValues = 1024
    /// The maximum length of a number or of a word such as `true`, in bytes.
    static let longestWord = 64

    /// Returns the limit that a text exceeds, for its sender, or nil if it exceeds none. The text need not be valid.
    static func excess(in bytes: UnsafeRawBufferPointer) -> String? {
        var depth = 0
        var values = 1
        var word = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                index = endOfString(in: bytes, from: index)
                word = 0
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, values, word) = (depth + 1, values + 1, 0)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): (depth, word) = (max(0, depth - 1), 0)
            case UInt8(ascii: ","), UInt8(ascii: ":"): (values, word) = (values + 1, 0)
            default: word = byte.isBlank ? 0 : word + 1
            }
            if depth > deepest { return "the payload is nested more than \(deepest) deep" }
            if values > mostValues { return "the payload has more than \(mostValues) values" }
            if word > longestWord { return "the payload has a number or word of more than \(longestWord) bytes" }
        }
        return nil
    }

    /// Returns the index after the closing quotation mark, or the end of the text.
    private static func endOfString(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return bytes.count
    }
}
