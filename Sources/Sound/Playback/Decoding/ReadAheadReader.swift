import ALSA
import Glibc
import Threads

/// Decodes on a separate thread, ahead of the caller. A rehearsal uses this because it would otherwise alternate
/// between decoding and rendering. The frames, errors and positions are the same as those of the reader itself.
///
/// The thread starts when a file has been read for a while without a seek, because most frames that are decoded ahead
/// of a seek are wasted. It ends at the next seek.
final class ReadAheadReader: AudioFileReader {
    private let reader: any AudioFileReader
    private var ahead: DecodingThread?
    private var framesInSequence = 0
    private(set) var position: Int
    // This closure is not passed on to the reader, because the reader is used on the separate thread.
    var onProgress: () -> Void = {}

    init(_ reader: any AudioFileReader) {
        self.reader = reader
        position = reader.position
        format = reader.format
        channelOrder = reader.channelOrder
        frameCount = reader.frameCount
        likelyFrameCount = reader.likelyFrameCount
    }

    deinit { ahead?.end() }

    private var gap: DecoderError?

    func takeGap() -> DecoderError? {
        defer { gap = nil }
        return gap
    }

    // These values are copies because the separate thread uses the reader.
    let format: StreamFormat
    let channelOrder: ChannelOrder
    let frameCount: Int?
    let likelyFrameCount: Int?

    var tags: TrackTags {
        ahead?.end()
        ahead = nil
        return reader.tags
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        if ahead == nil, framesInSequence > 4 * format.rate { ahead = DecodingThread(reader) }
        let count =
            if let ahead {
                try ahead.take(frames, into: samples)
            } else {
                try reader.read(into: samples, frames: frames)
            }
        gap.note(ahead == nil ? reader.takeGap() : ahead?.takeGap())
        framesInSequence += count
        position += count
        return count
    }

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        ahead?.end()
        ahead = nil
        framesInSequence = 0
        position = try reader.seek(toFrame: frame)
        return position
    }
}

/// Decodes a file from the position of its reader until `end` is called. The thread stays a few blocks ahead of the
/// caller of `take`.
// The conformance is unchecked because this class has variables. This is safe because only the thread uses the reader
// until `end` returns, and the lock protects the other variables.
private final class DecodingThread: @unchecked Sendable {
    /// The length of a block. The 32 blocks hold 2.7 s at 48 kHz, which is 1 MiB in stereo.
    private static let blockFrames = 4096
    private static let capacity = 32

    private let reader: any AudioFileReader
    private let channels: Int
    private let samples: UnsafeMutablePointer<Float>
    private var thread: NativeThread?

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let hasChanged = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The number of frames in each decoded block. The last block may be incomplete.
    private var counts = [Int](repeating: 0, count: capacity)
    /// The gap that was found while each block was decoded.
    private var gaps = [DecoderError?](repeating: nil, count: capacity)
    /// The first gap of the blocks that have been taken.
    private var gap: DecoderError?
    private var written = 0
    private var taken = 0
    /// The number of frames of the oldest block that have been taken.
    private var offset = 0
    private var isEnding = false
    /// The result after the last block, which is the end of the file or the reason why it cannot be decoded any
    /// further.
    private var result: Result<Void, DecoderError>?

    /// - Returns: nil if the system cannot start another thread.
    init?(_ reader: any AudioFileReader) {
        self.reader = reader
        channels = reader.format.channels
        samples = .allocate(capacity: Self.capacity * Self.blockFrames * channels)
        pthread_mutex_init(lock, nil)
        pthread_cond_init(hasChanged, nil)
        // The thread ends before this object is deallocated because its owner calls `end`.
        thread = NativeThread("decoder") { [unowned self] in run() }
        if thread == nil { return nil }
    }

    deinit {
        pthread_cond_destroy(hasChanged)
        pthread_mutex_destroy(lock)
        lock.deallocate()
        hasChanged.deallocate()
        samples.deallocate()
    }

    /// Ends the thread and waits until it has decoded the current block.
    func end() {
        guard let thread else { return }
        locked { isEnding = true }
        while !thread.join(within: .seconds(3600)) {}
        self.thread = nil
    }

    /// Returns decoded frames like `AudioFileReader.read`. The call waits for the thread.
    func take(_ frames: Int, into destination: UnsafeMutablePointer<Float>) throws(DecoderError) -> Int {
        var count = 0
        while count < frames, let block = nextBlock() {
            let part = min(frames - count, block.frames - offset)
            (destination + count * channels).update(from: block.samples + offset * channels, count: part * channels)
            count += part
            offset += part
            if offset == block.frames {
                offset = 0
                gap.note(block.gap)
                locked { taken += 1 }
            }
        }
        if count == 0, frames > 0 { try result?.get() }
        return count
    }

    func takeGap() -> DecoderError? {
        defer { gap = nil }
        return gap
    }

    /// - Returns: nil after the last block.
    private func nextBlock() -> (samples: UnsafeMutablePointer<Float>, frames: Int, gap: DecoderError?)? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while written == taken {
            if result != nil { return nil }
            pthread_cond_wait(hasChanged, lock)
        }
        return (block(taken), counts[taken % Self.capacity], gaps[taken % Self.capacity])
    }

    private func block(_ number: Int) -> UnsafeMutablePointer<Float> {
        samples + number % Self.capacity * Self.blockFrames * channels
    }

    private func locked(_ change: () -> Void) {
        pthread_mutex_lock(lock)
        change()
        pthread_cond_broadcast(hasChanged)
        pthread_mutex_unlock(lock)
    }

    private func run() {
        while let number = freeBlock() {
            do throws(DecoderError) {
                let count = try reader.read(into: block(number), frames: Self.blockFrames)
                let gap = reader.takeGap()
                locked {
                    gaps[number % Self.capacity] = gap
                    counts[number % Self.capacity] = count
                    if count > 0 { written += 1 } else { result = .success(()) }
                }
                if count == 0 { return }
            } catch {
                return locked { result = .failure(error) }
            }
        }
    }

    /// Waits until there is room for a block.
    /// - Returns: the number of the block, or nil when the thread must end.
    private func freeBlock() -> Int? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while !isEnding, written - taken == Self.capacity { pthread_cond_wait(hasChanged, lock) }
        return isEnding ? nil : written
    }
}
