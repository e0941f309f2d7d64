import Glibc

/// Random access to the bytes of a file or of memory.
protocol ByteSource {
    /// Returns the bytes at `offset`. The result has fewer than `count` bytes at the end of the file, and is empty if
    /// nothing can be read.
    func bytes(at offset: Int, count: Int) -> [UInt8]
}

extension [UInt8]: ByteSource {
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        return Array(self[offset..<(offset + Swift.min(count, self.count - offset))])
    }
}

/// A regular file, which is closed when this object is deallocated.
final class FileBytes: ByteSource {
    private let descriptor: Int32
    private let reader: SectorReader

    /// - Returns: nil if the file cannot be opened or is not a regular file.
    init?(_ track: Track) {
        descriptor = track.withPath { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        reader = SectorReader(descriptor)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        // `deinit` still runs, and closes the file.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    deinit { close(descriptor) }

    func bytes(at offset: Int, count: Int) -> [UInt8] {
        DescriptorBytes(reader: reader).bytes(at: offset, count: count)
    }
}

/// A file that its owner keeps open.
struct DescriptorBytes: ByteSource {
    let reader: SectorReader
    /// The offset after the last byte that is read.
    var end = Int.max

    func bytes(at offset: Int, count: Int) -> [UInt8] {
        let count = min(count, end - offset)
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
                let taken = reader.read(into: rest, at: offset + filled)
                guard taken > 0 else { return }
                filled += taken
            }
        }
    }
}

/// Reads consecutive fields from untrusted bytes. Each method returns nil if there are not enough bytes.
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

    /// - Parameter count: the number of bytes, at most 7.
    mutating func bigEndian(_ count: Int) -> Int? { take(count)?.reduce(0) { $0 << 8 | Int($1) } }
    mutating func littleEndian(_ count: Int) -> Int? { take(count)?.reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// Reads four bytes of seven bits each, which is how ID3 encodes lengths.
    mutating func synchsafe() -> Int? {
        guard let bytes = take(4), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << 7 | Int($1) }
    }

    /// Skips a text with `width` bytes per character, and the zero character at its end.
    mutating func skipText(width: Int) -> Bool {
        while let character = take(width) {
            if character.allSatisfy({ $0 == 0 }) { return true }
        }
        return false
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the zeros that an ID3 tag contains so that decoders do not mistake the tag for audio.
    var synchronised: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var follows = false
        for byte in self {
            if !(follows && byte == 0) { result.append(byte) }
            follows = byte == 0xff
        }
        return result
    }
}

/// Decodes base 64 according to RFC 4648, section 4.
enum Base64 {
    /// - Returns: nil if the text is not base 64. The padding at the end may be missing.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var digits = text
        while digits.last == UInt8(ascii: "="), text.count - digits.count < 2 { digits.removeLast() }
        guard digits.count % 4 != 1 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count * 3 / 4)
        var (bits, count) = (0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xffff
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return result
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
