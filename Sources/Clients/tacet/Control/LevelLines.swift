/// Splits the output of a program into lines, each of which states the level of an input as 1 or 0.
struct LevelLines {
    enum Line: Hashable {
        case level(Bool)
        /// Another line, such as an error message.
        case other(String)
    }

    /// The number of bytes of a line that are kept.
    private static let limit = 80

    /// The beginning of a line that has not ended yet.
    private var line: [UInt8] = []

    /// Returns the lines that end in these bytes.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if line.count < Self.limit { line.append(byte) }
                continue
            }
            lines.append(Self.parse(line))
            line = []
        }
        return lines
    }

    private static func parse(_ bytes: [UInt8]) -> Line {
        switch bytes.filter({ ![UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }) {
        case [UInt8(ascii: "0")]: .level(false)
        case [UInt8(ascii: "1")]: .level(true)
        default: .other(String(decoding: bytes, as: UTF8.self))
        }
    }
}
