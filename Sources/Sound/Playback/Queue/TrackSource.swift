import ALSA

/// An open track whose first block has been decoded, so that it is known to be playable.
public final class TrackSource {
    let track: Int
    private let file: Track
    private let readsAhead: Bool
    private let shortest: Duration
    private let onProgress: () -> Void
    let decoder: Decoder
    /// The frame at which the music starts.
    let startFrame: Int

    private let block: UnsafeMutablePointer<Float>
    private var blockFrames: Int
    private var blockPosition = 0
    private let blockCapacity: Int
    /// The minimum duration of a track. Shorter tracks are treated as empty, because a list of them would change tracks
    /// faster than anybody can hear.
    public static let shortest = Duration.milliseconds(20)

    /// Opens a file and decodes its first block.
    /// - Parameters:
    ///   - readsAhead: true to decode on a separate thread.
    ///   - shortest: the minimum duration of a file. Shorter files are treated as empty.
    ///   - onProgress: called from time to time during a long seek.
    /// - Throws: `DecoderError` if the file cannot be opened, if its first block cannot be decoded, or if it does not
    ///   contain frames.
    init(
        track: Int, file: Track, at position: Duration, readsAhead: Bool, shortest: Duration,
        onProgress: @escaping () -> Void
    ) throws(DecoderError) {
        decoder = try Decoder.open(file, readsAhead: readsAhead)
        decoder.onProgress = onProgress
        self.readsAhead = readsAhead
        self.shortest = shortest
        self.onProgress = onProgress
        self.track = track
        self.file = file
        let frame = position.frames(atRate: decoder.format.rate)
        startFrame = min(frame, decoder.frameCount ?? frame)
        let (rate, channels) = (decoder.format.rate, decoder.format.channels)
        let fewest = max(1, shortest.frames(atRate: rate))
        blockCapacity = max(4096, fewest)
        block = .allocate(capacity: blockCapacity * channels)
        blockFrames = 0
        while blockFrames < fewest {
            let count = try decoder.read(into: block + blockFrames * channels, frames: blockCapacity - blockFrames)
            if count == 0 { break }
            blockFrames += count
        }
        if blockFrames < fewest { throw .tooShort(file.path, frames: blockFrames, rate: rate) }
    }

    /// Reopens the same track at a frame.
    func reopened(at frame: Int) throws(DecoderError) -> TrackSource {
        let source = try TrackSource(
            track: track, file: file, at: Duration(frames: frame, rate: decoder.format.rate), readsAhead: readsAhead,
            shortest: shortest, onProgress: onProgress)
        guard source.decoder.format == decoder.format else {
            throw DecoderError(.damaged, "continue", file.path, message: "another file has replaced it")
        }
        try source.seek(toFrame: frame)
        return source
    }

    deinit {
        block.deallocate()
    }

    /// Goes to a frame of the track, or to the end of the track if it is earlier.
    func seek(toFrame frame: Int) throws(DecoderError) {
        if frame <= blockFrames && decoder.position == blockFrames {
            blockPosition = frame
        } else {
            blockPosition = 0
            blockFrames = 0
            try decoder.seek(toFrame: frame)
        }
    }

    /// Decodes the next frames, like `Decoder.read`.
    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        let ready = min(frames, blockFrames - blockPosition)
        guard ready == 0 else {
            let channels = decoder.format.channels
            samples.update(from: block + blockPosition * channels, count: ready * channels)
            blockPosition += ready
            return ready
        }
        return try decoder.read(into: samples, frames: frames)
    }
}
