/// The order in which a person would sort file names: folder by folder, with runs of digits as numbers, and ignoring
/// case. Bytes break ties, so that the order depends only on the names.
struct NaturalOrder: Comparable {
    let track: Track
    private let bytes: [UInt8]
    private let components: [ArraySlice<UInt8>]

    init(_ track: Track) {
        self.track = track
        bytes = track.pathBytes
        components = Array(track.path.lowercased().utf8).split(separator: UInt8(ascii: "/"))
    }

    static func == (left: NaturalOrder, right: NaturalOrder) -> Bool { left.bytes == right.bytes }

    static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
        for (one, other) in zip(left.components, right.components) {
            if let before = isBefore(one, other) { return before }
        }
        if left.components.count != right.components.count {
            return left.components.count < right.components.count
        }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// Whether `one` sorts before `other`; nil if neither does.
    private static func isBefore(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool? {
        var left = one
        var right = other
        while let first = left.first, let second = right.first {
            if first.isDigit && second.isDigit {
                let number = takeNumber(&left)
                let counterpart = takeNumber(&right)
                if number.count != counterpart.count { return number.count < counterpart.count }
                if !number.elementsEqual(counterpart) { return number.lexicographicallyPrecedes(counterpart) }
            } else if first != second {
                return first < second
            } else {
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.isEmpty == right.isEmpty ? nil : left.isEmpty
    }

    /// Removes the run of digits at the start, and returns it without leading zeros, so that a longer one is greater.
    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: \.isDigit)
        bytes = bytes.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
