import Files

/// A slot of the state file and its record, which consists of a header line and the facts of the state as text, so that
/// `cat` and `strings` show them.
///
///     tacet-state 2 sequence 0000000000000001234 length 00163 checksum 0123456789abcdef
///     saved-at 1700000000000000000
///     intent playing
///     …
///
/// Each number has a fixed width, and the checksum covers everything except itself, so there is exactly one way to
/// write a record. Zeros fill the last page. In every version, a slot starts with `tacet-state` and the version number.
package enum StateSlot {
    static let version = 2
    package static let count = 2
    /// The number of bytes in a slot. It is more than the longest path needs, and usually not less than a page of a
    /// flash chip, so that writing one slot does not rewrite the other.
    package static let size = 16 << 10
    /// The number of bytes in a page. Writes are whole pages, so that the kernel does not need to read anything first.
    static let page = 4 << 10
    /// The longest text of a state, in bytes.
    static let capacity = size - headerLength

    /// The highest sequence number that is accepted. It leaves room for the sequence numbers of all further saves.
    static let mostSequence = Int.max / 2

    /// The contents of a slot.
    package enum Content: Hashable, Sendable {
        /// A complete record. `payload` is the range of the facts, counted from the start of the slot.
        case whole(sequence: Int, payload: Range<Int>)
        /// The slot contains only zeros.
        case empty
        case otherVersion(Int)
        case damaged(Damage)

        var sequence: Int? { if case .whole(let sequence, _) = self { sequence } else { nil } }
    }

    package enum Damage: String, Hashable, Sendable, CustomStringConvertible {
        case noHeader = "it does not start with a state header"
        case header = "its header line is malformed"
        case length = "it is truncated"
        case checksum = "the checksum does not match"

        package var description: String { rawValue }
    }

    // MARK: Writing

    /// Returns the pages to write, or nil if the facts are too long.
    static func record(_ facts: [UInt8], sequence: Int) -> [UInt8]? {
        guard facts.count <= capacity else { return nil }
        var record: [UInt8] = []
        record.reserveCapacity((headerLength + facts.count + page - 1) / page * page)
        record += magic
        record += digits(version, 1)
        record += sequenceWord
        record += digits(sequence, sequenceWidth)
        record += lengthWord
        record += digits(facts.count, lengthWidth)
        record += checksumWord
        var sum = Checksum()
        sum.add(record)
        sum.add(facts)
        let hex = Array(String(sum.value, radix: 16).utf8)
        record += [UInt8](repeating: zero, count: checksumWidth - hex.count) + hex + [newline]
        record += facts
        return record + [UInt8](repeating: 0, count: (page - record.count % page) % page)
    }

    // MARK: Reading

    static func read(_ slot: UnsafeRawBufferPointer) -> Content {
        guard begins(slot, with: magic) else {
            return slot.allSatisfy { $0 == 0 } ? .empty : .damaged(.noHeader)
        }
        if let other = version(slot), other != version { return .otherVersion(other) }
        guard slot.count >= headerLength else { return .damaged(.length) }
        var offset = magic.count + 1
        func word(_ word: [UInt8]) -> Bool {
            defer { offset += word.count }
            return begins(UnsafeRawBufferPointer(rebasing: slot[offset...]), with: word)
        }
        func number(_ width: Int, radix: Int = 10) -> UInt64? {
            defer { offset += width }
            return self.number(slot, offset..<offset + width, radix: UInt64(radix))
        }
        guard version(slot) == version, word(sequenceWord),
            let sequence = number(sequenceWidth).flatMap(Int.init(exactly:)),
            sequence <= mostSequence, word(lengthWord), let length = number(lengthWidth), word(checksumWord)
        else { return .damaged(.header) }
        let covered = offset
        guard let checksum = number(checksumWidth, radix: 16), slot[offset] == newline else { return .damaged(.header) }
        guard headerLength + Int(length) <= slot.count else { return .damaged(.length) }
        let payload = headerLength..<headerLength + Int(length)
        var sum = Checksum()
        sum.add(slot[..<covered])
        sum.add(slot[payload])
        guard sum.value == checksum else { return .damaged(.checksum) }
        return .whole(sequence: sequence, payload: payload)
    }

    /// Returns the number after `tacet-state`, or nil if there is none.
    private static func version(_ slot: UnsafeRawBufferPointer) -> Int? {
        let digits = slot[magic.count...].prefix { $0 != 0x20 && $0 != newline }
        guard digits.count <= 9, digits.startIndex + digits.count < slot.count else { return nil }
        return number(slot, digits.indices, radix: 10).map { Int($0) }
    }

    private static func begins(_ bytes: UnsafeRawBufferPointer, with word: [UInt8]) -> Bool {
        bytes.prefix(word.count).elementsEqual(word)
    }

    /// Parses a number strictly. It accepts only digits and lower-case letters.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, radix: UInt64) -> UInt64? {
        guard !range.isEmpty else { return nil }
        var number: UInt64 = 0
        for byte in bytes[range] {
            let digit: UInt64
            switch byte {
            case 0x30...0x39: digit = UInt64(byte - 0x30)
            case 0x61...0x66 where radix == 16: digit = UInt64(byte - 0x61) + 10
            default: return nil
            }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: radix)
            let (sum, isTooLargeNow) = product.addingReportingOverflow(digit)
            guard !isTooLarge, !isTooLargeNow else { return nil }
            number = sum
        }
        return number
    }

    private static func digits(_ number: Int, _ width: Int) -> [UInt8] {
        let digits = Array(String(number).utf8)
        return [UInt8](repeating: zero, count: max(0, width - digits.count)) + digits
    }

    private static let magic = Array("tacet-state ".utf8)
    private static let sequenceWord = Array(" sequence ".utf8)
    private static let sequenceWidth = 19
    private static let lengthWord = Array(" length ".utf8)
    private static let lengthWidth = 5
    private static let checksumWord = Array(" checksum ".utf8)
    private static let checksumWidth = 16
    private static let zero: UInt8 = 0x30
    private static let newline: UInt8 = 0x0a
    static let headerLength = 12 + 1 + 10 + sequenceWidth + 8 + lengthWidth + 10 + checksumWidth + 1
}
