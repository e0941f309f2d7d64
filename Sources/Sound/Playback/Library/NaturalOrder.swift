/// The order in which a person would sort file names. Names are sorted folder by folder, runs of digits are compared as
/// numbers, and case is ignored. Bytes break ties, so that the order depends only on the names.
struct NaturalOrder: Comparable {
    let track: Track
    /// The sort key. Comparing keys byte by byte gives the order of the names. `LibraryLimits` limits the total size of
    /// the keys.
    private let key: [UInt8]

    init(_ track: Track) {
        self.track = track
        key = Self.key(of: track.path.lowercased())
    }

    static func == (left: NaturalOrder, right: NaturalOrder) -> Bool { left.track.pathBytes == right.track.pathBytes }

    static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
        if left.key == right.key { return left.track.pathBytes.lexicographicallyPrecedes(right.track.pathBytes) }
        return left.key.lexicographicallyPrecedes(right.key)
    }

    /// Creates the sort key of a path. A zero byte, which sorts before everything else, separates folders. A run of
    /// digits is represented by the digit 0, the length of the run without leading zeros, and the digits without
    /// leading zeros. The digit 0 makes the run sort like a digit among other characters, and the length makes a longer
    /// number greater.
    private static func key(of path: String) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(path.utf8.count + 8)
        var rest = Array(path.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "/") {
                rest = rest.drop { $0 == byte }
                if !key.isEmpty, !rest.isEmpty { key.append(0) }
            } else if byte.isDigit {
                let run = rest.prefix(while: \.isDigit)
                let digits = run.drop { $0 == UInt8(ascii: "0") }
                let length = UInt16(clamping: digits.count)
                key += [UInt8(ascii: "0"), UInt8(length >> 8), UInt8(length & 0xff)] + digits
                rest = rest.dropFirst(run.count)
            } else {
                key.append(byte)
                rest = rest.dropFirst()
            }
        }
        return key
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
