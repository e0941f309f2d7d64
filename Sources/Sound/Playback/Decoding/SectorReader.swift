import Glibc

/// Reads an open file and replaces the parts that its disk cannot read with zeros, so that the rest of the file can be
/// read in spite of a bad sector. A decoder treats the zeros as damage.
///
/// Zeros replace a part only if the disk can read a part soon after it, because otherwise the disk has failed. Use it
/// from one thread at a time.
final class SectorReader {
    /// A system call like `pread`, which returns a negated `errno` code if it fails.
    typealias Read = (_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer, _ place: Int) -> Int

    /// A part of the file that was replaced with zeros.
    struct Hole {
        let bytes: Int
        let code: CInt
    }

    /// Called before each read, because each read can take seconds on a failing disk.
    var onProgress: () -> Void = {}

    private let descriptor: CInt
    private let call: Read
    /// The range of the most recently replaced bytes, and the error.
    private var skipped = 0..<0
    private var code: CInt = 0
    /// The number of attempts that remain for finding the ends of holes.
    private var attempts = 32
    /// The first error that was not replaced with zeros, or nil if there was none.
    private(set) var failure: CInt?

    private static let sector = 4096
    private static let mostSectors = 16
    /// The `errno` codes that a defect of the medium causes.
    private static let codes = [EIO, EBADMSG, ENODATA]

    init(_ descriptor: CInt, _ call: @escaping Read = SectorReader.system) {
        (self.descriptor, self.call) = (descriptor, call)
    }

    static func system(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer, _ place: Int) -> Int {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, place)
        return count < 0 ? -Int(errno) : count
    }

    /// Reads as `pread` does.
    /// - Returns: the number of bytes, 0 at the end, or a negated `errno` code.
    func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
        if !skipped.contains(place) {
            let count = readDisk(into: buffer, at: place)
            // The first sector is not replaced, because without it the format of the file is unknown.
            guard count < 0 else { return count }
            guard place >= Self.sector, Self.codes.contains(CInt(-count)), let end = nextSector(after: place) else {
                failure = failure ?? CInt(-count)
                return count
            }
            (skipped, code) = (place..<end, CInt(-count))
        }
        let zeros = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(skipped.upperBound - place))
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        return zeros.count
    }

    /// Returns the offset of the next sector that can be read, or nil if none is found.
    private func nextSector(after place: Int) -> Int? {
        var sectors = 1
        while sectors <= Self.mostSectors, attempts > 0 {
            attempts -= 1
            let start = (place / Self.sector + sectors) * Self.sector
            // The cache may still contain the sector although the disk has disappeared.
            posix_fadvise(descriptor, start, Self.sector, POSIX_FADV_DONTNEED)
            var byte: UInt8 = 0
            let count = withUnsafeMutableBytes(of: &byte) { readDisk(into: $0, at: start) }
            if count >= 0 { return count > 0 ? start : nil }
            sectors *= 2
        }
        return nil
    }

    private func readDisk(into buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
        while true {
            onProgress()
            let count = call(descriptor, buffer, place)
            if count != -Int(EINTR) { return count }
        }
    }

    /// The last hole, or nil if there is none.
    var hole: Hole? { skipped.isEmpty ? nil : Hole(bytes: skipped.count, code: code) }

    /// Returns the hole at an offset that has just been read, or nil if there is none.
    func hole(at place: Int) -> Hole? { skipped.contains(place) ? hole : nil }
}
