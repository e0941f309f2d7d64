import ALSA
import Glibc

/// A sound in memory, in a device's format, so that no disk access delays it: all of it, or its first minute.
// Unchecked because it holds a pointer. This is safe: nothing changes after `init`.
final class SoundMemory: @unchecked Sendable {
    let format: StreamFormat
    /// 1 or more.
    let frames: Int
    /// The length of the whole sound, if it is known; for a longer sound, according to its header.
    let length: Duration
    let isWhole: Bool
    let samples: UnsafePointer<Float>
    private let memory: UnsafeMutableRawPointer
    private let bytes: Int

    private init(_ content: [Float], format: StreamFormat, length: Duration? = nil, isWhole: Bool = true) {
        self.format = format
        frames = content.count / format.channels
        bytes = max(1, content.count) * MemoryLayout<Float>.stride
        // Not from malloc, which would keep the megabytes of a clip after its end, locked.
        memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        precondition(memory != MAP_FAILED, "no memory left for a sound")
        let samples = memory.bindMemory(to: Float.self, capacity: max(1, content.count))
        content.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { samples.initialize(from: start, count: content.count) }
        }
        self.samples = UnsafePointer(samples)
        self.isWhole = isWhole
        let inMemory = Duration(frames: frames, rate: format.rate)
        self.length = isWhole ? inMemory : max(inMemory, length ?? inMemory)
    }

    deinit {
        munmap(memory, bytes)
    }

    /// Reads a file in a device's format. Blocks on the storage.
    /// - Throws: also if the file is damaged within its head: a cue is better replaced than mutilated.
    static func read(_ sound: Sound, format: StreamFormat) throws(DecoderError) -> SoundMemory {
        let source = SoundFile(sound.file, format: format, repeats: false, ahead: format.rate, history: 0)
        try source.open()
        let ring = source.deck.ring.reader
        let limit = sound.head.frames(atRate: format.rate) * format.channels
        var content: [Float] = []
        while content.count < limit {
            source.fill()
            if let failure = source.failure { throw failure }
            let segment = ring.readSegment(limit: (limit - content.count) / format.channels)
            if segment.frames == 0 { break }
            content.append(
                contentsOf: UnsafeBufferPointer(start: segment.start, count: segment.frames * format.channels))
            ring.consume(segment.frames)
        }
        guard !content.isEmpty else {
            throw DecoderError(.noAudio, "play", sound.file.path, message: "it holds no audio (0 frames)")
        }
        source.fill()
        let isWhole = ring.readableFrames == 0 && ring.endIndex != nil
        return SoundMemory(content, format: format, length: source.likelyLength, isWhole: isWhole)
    }

    /// The tone for a cue whose file cannot be read: two pitches in turn, half a second each, so that it is not mistaken
    /// for music. It peaks at −6 dBFS, begins and ends at a zero, and so repeats without a click.
    static func tone(_ format: StreamFormat) -> SoundMemory {
        let rate = Double(format.rate)
        let peak = pow(10, -6.0 / 20)
        var content: [Float] = []
        content.reserveCapacity(format.rate * format.channels)
        for frame in 0..<format.rate {
            // 485 and 400 whole periods.
            let pitch = 2 * frame < format.rate ? 970.0 : 800.0
            let sample = Float(peak * sin(2 * Double.pi * pitch * Double(frame) / rate))
            for _ in 0..<format.channels { content.append(sample) }
        }
        return SoundMemory(content, format: format)
    }
}
