import Glibc

/// An open file as the decoding libraries read it: in order, through a small buffer, with the system's error if a read
/// fails.
///
/// Use it from one thread at a time. It closes the descriptor when it is deallocated.
final class FileInput {
    /// The bytes of the file when it was opened.
    let bytes: Int
    /// Where the file ends for the libraries, which search for its last bytes from there. Set it before the first read.
    var end: Int
    /// Where the libraries' offset 0 is.
    private(set) var start = 0
    /// The offset of the next byte that `read` returns, from `start`.
    private(set) var offset = 0
    /// The first error of a read, as a code of `errno`; nil unless one has failed.
    private(set) var failure: Int32?
    /// Whether a read has found the end earlier than when the file was opened.
    private var isCut = false
    /// Called each time the file itself is read, because a library can read for minutes before it returns.
    var onProgress: () -> Void = {}

    private let descriptor: Int32
    private let buffer: UnsafeMutableRawPointer
    private var buffered: Range<Int> = 0..<0
    private static let capacity = 16_384
    /// Set it before the first read.
    var patch: Patch?

    /// Bytes that stand in for those of the file.
    struct Patch {
        let offset: Int
        let bytes: [UInt8]
    }

    /// - Parameters:
    ///   - descriptor: of a regular file.
    ///   - bytes: its size.
    init(owning descriptor: Int32, bytes: Int) {
        self.descriptor = descriptor
        self.bytes = bytes
        end = bytes
        buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Random access, which does not move `offset`; offsets are those of the file.
    var source: DescriptorBytes { DescriptorBytes(descriptor: descriptor) }

    /// Makes an offset of the file the libraries' offset 0.
    func begin(at start: Int) {
        self.start = start
        offset = 0
        buffered = 0..<0
    }

    /// Reads up to `count` bytes.
    /// - Returns: their number; 0 at the end, -1 if the system fails.
    func read(into destination: UnsafeMutableRawPointer, count: Int) -> Int {
        var done = 0
        while done < count {
            let place = start + offset
            if buffered.contains(place) {
                let part = min(count - done, buffered.upperBound - place)
                (destination + done).copyMemory(from: buffer + (place - buffered.lowerBound), byteCount: part)
                offset += part
                done += part
            } else if let taken = fill(at: place) {
                if taken == 0 { break }
            } else {
                return done > 0 ? done : -1
            }
        }
        return done
    }

    /// - Returns: how many bytes there are; nil if the system fails.
    private func fill(at place: Int) -> Int? {
        onProgress()
        buffered = place..<place
        while true {
            let taken = pread(descriptor, buffer, Self.capacity, place)
            if taken < 0, errno == EINTR { continue }
            guard taken >= 0 else {
                failure = failure ?? errno
                return nil
            }
            buffered = place..<place + taken
            if taken == 0, place < bytes { isCut = true }
            apply(patch)
            return taken
        }
    }

    private func apply(_ patch: Patch?) {
        guard let patch else { return }
        for (index, byte) in patch.bytes.enumerated() where buffered.contains(patch.offset + index) {
            buffer.storeBytes(of: byte, toByteOffset: patch.offset + index - buffered.lowerBound, as: UInt8.self)
        }
    }

    /// Moves to another offset, as `lseek` does; also beyond the end.
    /// - Returns: the new offset; -1 if it would be negative.
    func seek(_ distance: Int, _ whence: Int32) -> Int {
        let origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? offset : end - start
        let (target, isTooFar) = origin.addingReportingOverflow(distance)
        guard !isTooFar, target >= 0, target <= Int.max - start else { return -1 }
        offset = target
        return target
    }

    /// The error to report if a read has failed; nil if none has.
    func readingError(_ path: String) -> DecoderError? {
        failure.map { .reading(path, $0) } ?? (isCut ? .shortened(path) : nil)
    }

    /// The object behind a library's pointer.
    static func of(_ pointer: UnsafeMutableRawPointer?) -> FileInput? {
        pointer.map { Unmanaged<FileInput>.fromOpaque($0).takeUnretainedValue() }
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
