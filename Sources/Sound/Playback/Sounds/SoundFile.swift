import ALSA

/// Reads a sound's file in a device's format, from its start: once, or again and again without a gap. Use it on one
/// thread at a time; its calls block on the storage.
final class SoundFile {
    let buffer: PlaybackBuffer
    private let file: Track
    private let repeats: Bool
    private let failures: Failures

    private final class Failures {
        var first: DecoderError?
        var gap: DecoderError?
    }

    /// Touches no file.
    /// - Parameters:
    ///   - ahead: the number of frames to read ahead.
    ///   - history: the number of frames to keep after they were read.
    init(_ file: Track, format: StreamFormat, repeats: Bool, ahead: Int, history: Int) {
        self.file = file
        self.repeats = repeats
        let failures = Failures()
        self.failures = failures
        // A list with one track: the deck then reads, converts and joins as it does with the music.
        let order = TrackOrder(successor: { repeats ? $0 : nil }, next: { _ in nil }, previous: { _ in nil })
        let finder = TrackFinder(tracks: TrackList([file]), order: order, shortest: .zero) { _, reason in
            switch reason.reason {
            // An alarm must not be silent for as long as the damage is.
            case .gap where repeats: failures.first = failures.first ?? reason.asDamage
            case .gap: failures.gap = failures.gap ?? reason
            default: failures.first = failures.first ?? reason
            }
        }
        buffer = PlaybackBuffer(format: format, finder: finder, ahead: ahead, history: history)
    }

    /// Opens the file.
    /// - Returns: its size in bytes.
    @discardableResult
    func open() throws(DecoderError) -> Int {
        if buffer.prefetcher.start(track: 0, at: .zero, searching: .forward) == nil {
            throw failure ?? DecoderError(.cannotOpen, "open", file.path, message: "unknown error")
        }
        return buffer.prefetcher.fileSize ?? 0
    }

    /// Reads ahead as far as there is room. A sound that repeats ends where it cannot be read.
    func fill() {
        // Block by block, so that hardly any silence follows.
        while !repeats || failure == nil, buffer.prefetcher.fill(limit: 1) {}
    }

    /// Why the file could not be read to its end; nil unless that has happened.
    var failure: DecoderError? { failures.first }

    /// The first part of the file that cannot be decoded, although what follows can; nil unless there is one.
    var gap: DecoderError? { failures.gap }

    /// The same, once.
    func takeGap() -> DecoderError? {
        defer { failures.gap = nil }
        return failures.gap
    }

    /// The length of the sound according to its header, if that is known.
    var likelyLength: Duration? {
        guard let mark = buffer.marks.first else { return nil }
        return (mark.length ?? mark.likelyLength).map { Duration(frames: $0, rate: mark.rate) }
    }
}
