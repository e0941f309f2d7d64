import ALSA

/// Reads a sound's file in a device's format from its start. The file is read once, or repeatedly without a gap. Use it
/// on one thread at a time. Its calls block on the storage.
final class SoundFile {
    let buffer: PlaybackBuffer
    private let file: Track
    private let repeats: Bool
    private let failures: Failures

    private final class Failures {
        var first: DecoderError?
        var gap: DecoderError?
    }

    /// Creates a reader without accessing the file.
    /// - Parameters:
    ///   - ahead: the number of frames to read ahead.
    ///   - history: the number of frames to keep after they have been read.
    init(_ file: Track, format: StreamFormat, repeats: Bool, ahead: Int, history: Int) {
        self.file = file
        self.repeats = repeats
        let failures = Failures()
        self.failures = failures
        // Use a list with one track. The buffer then reads, converts and joins tracks as it does for the music.
        let order = TrackOrder(successor: { repeats ? $0 : nil }, next: { _ in nil }, previous: { _ in nil })
        let finder = TrackFinder(tracks: TrackList([file]), order: order, shortest: .zero) { _, reason in
            switch reason.reason {
            // Treat a gap as a failure, because an alarm must not be silent for as long as the damaged part lasts.
            case .gap where repeats: failures.first = failures.first ?? reason.asDamage
            case .gap: failures.gap = failures.gap ?? reason
            default: failures.first = failures.first ?? reason
            }
        }
        buffer = PlaybackBuffer(format: format, finder: finder, ahead: ahead, history: history)
    }

    /// Opens the file and starts to read it.
    /// - Parameter frame: the first frame to read.
    /// - Returns: the size of the file in bytes.
    @discardableResult
    func open(at frame: Int = 0) throws(DecoderError) -> Int {
        let position = Duration(frames: frame, rate: buffer.format.rate)
        if buffer.prefetcher.start(track: 0, at: position, searching: .forward) == nil {
            throw failure ?? DecoderError(.cannotOpen, "open", file.path, message: "unknown error")
        }
        return buffer.prefetcher.fileSize ?? 0
    }

    /// Reads ahead as far as there is room. If a sound that repeats cannot be read any further, reading ends there.
    func fill() {
        // Fill block by block, so that hardly any silence is added after a failure.
        while !repeats || failure == nil, buffer.prefetcher.fill(limit: 1) {}
    }

    /// The reason why the file could not be read to its end, or nil if there was no failure.
    var failure: DecoderError? { failures.first }

    /// The first part of the file that cannot be decoded although the following part can, or nil if there is none.
    var gap: DecoderError? { failures.gap }

    /// Returns the same part as `gap`, but only once.
    func takeGap() -> DecoderError? {
        defer { failures.gap = nil }
        return failures.gap
    }

    /// The total length of the silence that has replaced such parts so far.
    var silence: Duration { buffer.prefetcher.silence }

    /// The length of the sound according to its header, if it is known.
    var likelyLength: Duration? {
        guard let mark = buffer.marks.first else { return nil }
        return (mark.length ?? mark.likelyLength).map { Duration(frames: $0, rate: mark.rate) }
    }
}
