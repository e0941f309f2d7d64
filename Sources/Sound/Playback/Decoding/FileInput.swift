import Files
import Glibc

/// An open file that decoding libraries read in order, through a small buffer. If a read fails, the system's error is
/// stored.
///
/// Use it from one thread at a time. The descriptor is closed when this object is deallocated.
final class FileInput {
    /// The number of bytes of the file when it was opened.
    let bytes: Int
    /// The part of the file that the libraries can read. For them, its start is offset 0.
    private(set) var part: Range<Int>
    /// The offset of the next byte that `read` returns, from the part's start.
    private(set) var offset = 0
    /// The number of bytes that have been read since a library last delivered frames.
    private(set) var effort = 0
    /// The maximum effort, beyond which reading fails. There is a limit because a library may collect the bytes that it
    /// reads, or read the same bytes forever.
    var mostEffort = Int.max
    /// The `errno` code of the first failed read, or nil if no read has failed.
    private(set) var failure: Int32?
    /// The first unreadable part that the libraries have read as zeros, until it has been reported.
    private var hole: SectorReader.Hole?
    /// True if a read has shown that the file has become shorter since it was opened.
    private var isCut = false
    /// Called each time the file itself is read, because a library may read for minutes before it returns.
    var onProgress: () -> Void {
        get { reader.onProgress }
        set { reader.onProgress = newValue }
    }

    private let descriptor: Int32
    private let reader: SectorReader
    private let buffer: UnsafeMutableRawPointer
    private var buffered: Range<Int> = 0..<0
    private static let capacity = 16_384
    /// The bytes to replace. Set this before the first read.
    var patch: Patch?

    /// Bytes that replace bytes of the file.
    struct Patch {
        let offset: Int
        let bytes: [UInt8]
    }

    /// - Parameters:
    ///   - descriptor: the descriptor of a regular file.
    ///   - bytes: the size of the file.
    convenience init(owning descriptor: Int32, bytes: Int) {
        self.init(owning: descriptor, SectorReader(descriptor), bytes: bytes)
    }

    init(owning descriptor: Int32, _ reader: SectorReader, bytes: Int) {
        (self.descriptor, self.reader) = (descriptor, reader)
        self.bytes = bytes
        part = 0..<bytes
        buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Random access to the file that does not change `offset`. Its offsets are counted from the start of the file.
    var source: DescriptorBytes { DescriptorBytes(reader: reader, end: end) }

    /// Random access to the whole file instead of only the selected part.
    var file: DescriptorBytes { DescriptorBytes(reader: reader) }

    /// The offset of the end, or the maximum if the part extends to the end of the file, because a file that becomes
    /// longer is read to its new end.
    private var end: Int { part.upperBound < bytes ? part.upperBound : .max }

    /// Selects another part of the file, by default up to its end, and removes the patch.
    func begin(at start: Int, end: Int? = nil) {
        part = start..<max(start, end ?? bytes)
        (offset, effort, patch) = (0, 0, nil)
        buffered = 0..<0
    }

    /// The offset in the file of the next byte.
    var place: Int { part.lowerBound + offset }

    /// Records that a library has delivered frames.
    func rest() { effort = 0 }

    /// True if reading fails because too many bytes have been read without a result.
    var isExhausted: Bool { effort > mostEffort }

    /// Reads up to `count` bytes.
    /// - Returns: the number of bytes, which is 0 at the end. The result is -1 if a system call fails or if too many
    ///   bytes have been read without a result.
    func read(into destination: UnsafeMutableRawPointer, count: Int) -> Int {
        let count = min(count, end - place)
        var done = 0
        while done < count {
            if isExhausted { return -1 }
            if buffered.contains(place) {
                let taken = min(count - done, buffered.upperBound - place)
                (destination + done).copyMemory(from: buffer + (place - buffered.lowerBound), byteCount: taken)
                offset += taken
                effort += taken
                done += taken
            } else if let taken = fill(at: place) {
                if taken == 0 { break }
            } else {
                return done > 0 ? done : -1
            }
        }
        return done
    }

    /// - Returns: the number of bytes available, or nil if a system call fails.
    private func fill(at place: Int) -> Int? {
        buffered = place..<place
        let taken = reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Self.capacity), at: place)
        guard taken >= 0 else {
            failure = failure ?? CInt(-taken)
            return nil
        }
        buffered = place..<place + taken
        if taken == 0, place < bytes { isCut = true }
        hole = hole ?? reader.hole(at: place)
        apply(patch)
        return taken
    }

    private func apply(_ patch: Patch?) {
        guard let patch else { return }
        for (index, byte) in patch.bytes.enumerated() where buffered.contains(patch.offset + index) {
            buffer.storeBytes(of: byte, toByteOffset: patch.offset + index - buffered.lowerBound, as: UInt8.self)
        }
    }

    /// Moves to another offset, as `lseek` does. The offset may be beyond the end.
    /// - Returns: the new offset, or -1 if it would be negative.
    func seek(_ distance: Int, _ whence: Int32) -> Int {
        let origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? offset : part.count
        let (target, isTooFar) = origin.addingReportingOverflow(distance)
        guard !isTooFar, target >= 0, target <= Int.max - part.lowerBound else { return -1 }
        offset = target
        return target
    }

    /// Returns the error to report if a read has failed, or nil if no read has failed.
    func readingError(_ path: String) -> DecoderError? {
        failure.map { .reading(path, $0) } ?? (isCut ? .shortened(path) : nil)
    }

    /// Returns the error to report if a read has failed, including the reads of random access, or nil if no read has
    /// failed.
    func anyReadingError(_ path: String) -> DecoderError? {
        readingError(path) ?? reader.failure.map { .reading(path, $0) }
    }

    /// Returns the first part that the disk could not read although it could read the following part, or nil if there
    /// is none or it has already been returned.
    /// - Parameters:
    ///   - frame: the frame that is decoded next.
    ///   - more: a gap that the decoder has found.
    func takeGap(_ path: String, at frame: Int, and more: DecoderError?) -> DecoderError? {
        // A scan of the file can find the damage earlier than the decoder.
        var gap = (hole ?? more.flatMap { _ in reader.hole }).map {
            DecoderError.gap(
                path, "\($0.bytes) bytes cannot be read: \(String(errno: $0.code))", at: frame, silence: 0)
        }
        hole = nil
        gap.note(more)
        return gap
    }

    /// Returns the object behind a library's pointer.
    static func of(_ pointer: UnsafeMutableRawPointer?) -> FileInput? {
        pointer.map { Unmanaged<FileInput>.fromOpaque($0).takeUnretainedValue() }
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
