import ALSA
import Threads

/// Reads the rest of a long sound while it plays. The first minute is kept in memory, so reading has time to start.
// The conformance is unchecked because this class has variables. This is safe because only one thread calls `open` and
// `fill`, and the render thread uses only `rest`, whose indices are atomic.
final class SoundStream: @unchecked Sendable {
    /// The rest of the sound, as the render thread sees it. It is valid while this stream exists.
    var rest: UnsafePointer<SoundRest> { UnsafePointer(memory) }
    private let memory: UnsafeMutablePointer<SoundRest>
    private let ring: RingReader
    private let source: SoundFile
    private let file: Track
    private let fileSize: Int
    private let readiness: UnsafeMutablePointer<Int>

    /// Creates a stream without accessing the file.
    /// - Parameter fileSize: the size of the file when its beginning was read into memory, in bytes.
    init(_ file: Track, format: StreamFormat, repeats: Bool, fileSize: Int) {
        self.file = file
        self.fileSize = fileSize
        // The history holds the frames that are queued in the device.
        source = SoundFile(file, format: format, repeats: repeats, ahead: 4 * format.rate, history: 5 * format.rate / 2)
        readiness = .allocate(capacity: 1)
        readiness.initialize(to: 0)
        ring = source.buffer.ring.reader
        memory = .allocate(capacity: 1)
        memory.initialize(to: SoundRest(ring: ring, readiness: SharedCounter(readiness)))
    }

    deinit {
        memory.deallocate()
        readiness.deallocate()
    }

    /// Opens the file and reads up to the first frame after those in memory. If the sound starts with a later frame, the
    /// call opens the file there. The call blocks on the storage.
    /// - Parameters:
    ///   - start: the frame of the sound with which it starts.
    ///   - frames: the number of frames in memory.
    func open(at start: Int, after frames: Int) throws(DecoderError) {
        let first = start > frames ? start : 0
        memory.pointee.first = first
        guard try source.open(at: first) >= fileSize else { throw .shortened(file.path) }
        while first + ring.readIndex < frames {
            source.fill()
            let count = min(ring.readableFrames, frames - ring.readIndex)
            if count == 0 { break }
            ring.consume(count)
        }
        source.fill()
        memory.pointee.readiness.value = 1
    }

    /// Reads ahead.
    func fill() {
        source.fill()
        // Remove old marks, because each repetition adds one.
        source.buffer.prefetcher.forgetMarks(before: ring.readIndex)
    }

    /// True if the sound has been read to its end.
    var hasEnded: Bool { ring.endIndex != nil }

    /// The reason why the sound ended early, or nil if it did not.
    var failure: DecoderError? { source.failure }

    /// True if so much of the sound is silent because of damage that the sound is not treated as played, although its
    /// file could be read so far.
    var isMutilated: Bool { failure == nil && source.silence > Self.longestSilence }
    private static let longestSilence = Duration.seconds(1)

    /// Returns the first part that is silent because it cannot be decoded, or nil if there is none or it has already
    /// been returned. For a sound that repeats, such a part is treated as a failure.
    func takeGap() -> DecoderError? { source.takeGap() }
}
