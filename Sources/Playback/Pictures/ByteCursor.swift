/// Reads fields of bytes that may say anything: whatever is not there is nil, and nothing is read twice.
struct ByteCursor {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }
    var remaining: ArraySlice<UInt8> { rest }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// - Parameter count: 7 at most.
    mutating func bigEndian(_ count: Int) -> Int? { take(count)?.reduce(0) { $0 << 8 | Int($1) } }
    mutating func littleEndian(_ count: Int) -> Int? { take(count)?.reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// Four bytes of seven bits each, as ID3 writes lengths.
    mutating func synchsafe() -> Int? {
        guard let bytes = take(4), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << 7 | Int($1) }
    }

    /// A text that ends with as many zeros as its characters have bytes; the zeros are consumed.
    mutating func skipText(width: Int) -> Bool {
        while let character = take(width) {
            if character.allSatisfy({ $0 == 0 }) { return true }
        }
        return false
    }
}
