import ALSA
import Glibc

/// A sound in memory, in a device's format, so that no disk access delays it. It contains the whole sound or its first
/// minute.
// The conformance is unchecked because this class holds a pointer. This is safe because nothing changes after `init`.
final class SoundMemory: @unchecked Sendable {
    let format: StreamFormat
    /// The number of frames, which is 1 or more.
    let frames: Int
    /// The length of the whole sound, if it is known. If the sound is longer than the part in memory, this is the
    /// length according to its header.
    let length: Duration
    let isWhole: Bool
    /// The size of the sound's file when it was read, in bytes, or 0 for the tone.
    let fileSize: Int
    let samples: UnsafePointer<Float>
    /// The reason why the sound is not audible although it can be read. For example, it may be silent or too short. For
    /// a long sound, only the first minute is considered.
    let defect: DecoderError?
    private let block: SoundSamples

    private init(
        _ block: SoundSamples, format: StreamFormat, length: Duration? = nil, isWhole: Bool = true, fileSize: Int = 0,
        defect: DecoderError? = nil
    ) {
        self.defect = defect
        self.fileSize = fileSize
        self.format = format
        self.block = block
        frames = block.count / format.channels
        samples = UnsafePointer(block.samples)
        self.isWhole = isWhole
        let inMemory = Duration(frames: frames, rate: format.rate)
        self.length = isWhole ? inMemory : max(inMemory, length ?? inMemory)
    }

    /// Reads a file in a device's format. The call blocks on the storage.
    /// - Throws: `DecoderError` if the file cannot be read. This includes damage within the part in memory, because it
    ///   is better to replace a cue than to play it with gaps.
    static func read(_ sound: Sound, format: StreamFormat) throws(DecoderError) -> SoundMemory {
        let source = SoundFile(sound.file, format: format, repeats: false, ahead: format.rate, history: 0)
        let fileSize = try source.open()
        let ring = source.buffer.ring.reader
        let limit = sound.head.frames(atRate: format.rate) * format.channels
        let likely = source.likelyLength.map { $0.frames(atRate: format.rate) * format.channels } ?? format.rate
        let content = SoundSamples(capacity: min(max(likely, format.channels), limit))
        while content.count < limit {
            source.fill()
            if let failure = source.failure ?? source.gap { throw failure }
            let segment = ring.readSegment(limit: (limit - content.count) / format.channels)
            if segment.frames == 0 { break }
            content.append(segment.start, count: segment.frames * format.channels, limit: limit)
            ring.consume(segment.frames)
        }
        guard content.count > 0 else {
            throw DecoderError(.noAudio, "play", sound.file.path, message: "it holds no audio (0 frames)")
        }
        content.trim()
        source.fill()
        let isWhole = ring.readableFrames == 0 && ring.endIndex != nil
        let isKnown = isWhole || sound.head >= Sound.longestInMemory
        return SoundMemory(
            content, format: format, length: source.likelyLength, isWhole: isWhole, fileSize: fileSize,
            defect: isKnown ? Self.defect(content, format, sound.file.path) : nil)
    }

    private static func defect(_ content: SoundSamples, _ format: StreamFormat, _ path: String) -> DecoderError? {
        let frames = content.count / format.channels
        return .inaudible(
            path, frames: frames, rate: format.rate,
            isSilent: Audibility.isSilent(content.samples, frames: frames, format))
    }

    /// Returns the frame with which to start the sound, so that it continues at a place.
    func start(at place: SoundPlace?, repeats: Bool) -> Int {
        guard let frame = place?.mark.frame(atRate: format.rate), frame > 0 else { return 0 }
        let all = isWhole ? frames : length.frames(atRate: format.rate)
        return repeats ? frame % all : min(frame, all)
    }

    /// Creates the tone for a cue whose file cannot be read. It has two alternating pitches of half a second each, so
    /// that it is not mistaken for music. It peaks at −6 dBFS, and begins and ends at a zero crossing, so it repeats
    /// without a click.
    static func tone(_ format: StreamFormat) -> SoundMemory {
        let rate = Double(format.rate)
        let peak = pow(10, -6.0 / 20)
        let content = SoundSamples(capacity: format.rate * format.channels)
        for frame in 0..<format.rate {
            // Half a second contains 485 and 400 whole periods of these pitches.
            let pitch = 2 * frame < format.rate ? 970.0 : 800.0
            var sample = Float(peak * sin(2 * Double.pi * pitch * Double(frame) / rate))
            for _ in 0..<format.channels { content.append(&sample, count: 1, limit: .max) }
        }
        return SoundMemory(content, format: format)
    }
}
