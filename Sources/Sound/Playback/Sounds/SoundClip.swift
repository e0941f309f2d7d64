import ALSA
import Synchronization

/// An audio file that is heard once, in place of a sound's own: the whole file in memory, and its first seconds decoded.
///
/// Unlike a sound's file it can be deleted while it waits, and playing it touches no disk.
// The file is small, but decoded it is not: 16 of them that wait must fit into the memory of a small board.
public final class SoundClip: Sendable {
    /// In bytes.
    public static let largestFile = 2 << 20
    /// What is decoded in advance; the rest is decoded while it plays.
    private static let head = Duration.seconds(10)
    /// Held while a clip is decoded, so that many at once leave processors to others.
    private static let decoding = Mutex(())

    let file: Track
    /// In the device's format when it was loaded.
    let memory: SoundMemory
    /// Linear, 0…1: a factor of its sound's own gain.
    let gain: Float

    private init(_ file: Track, _ memory: SoundMemory, gain: Float = 1) {
        self.file = file
        self.memory = memory
        self.gain = gain
    }

    /// The same clip, quieter.
    /// - Parameter gain: linear, 0…1: a factor of its sound's own gain.
    public func attenuated(by gain: Float) -> SoundClip { SoundClip(file, memory, gain: gain) }

    public var path: String { file.path }

    /// As `SoundMemory.length`.
    public var length: Duration { memory.length }

    /// Reads a file of at most `largestFile` bytes, and decodes it up to a minute. Blocks on the storage, and on others that
    /// are being decoded.
    /// - Parameter format: the device's, probably.
    /// - Throws: also if the file is damaged within its first minute, as for a sound's own file.
    public static func load(_ path: String, format: StreamFormat) throws(DecoderError) -> SoundClip {
        let content = try FileContent.read(Track(path: path), limit: largestFile)
        let file = Track(path: path, content: content)
        return try decoding.withLock { (_) throws(DecoderError) in
            let memory = try decode(file, format: format)
            if !memory.isWhole { _ = try Sound.check(file) }
            return SoundClip(file, memory)
        }
    }

    /// Decodes its first seconds in another format. Takes time, but waits for no storage.
    func read(in format: StreamFormat) throws(DecoderError) -> SoundMemory { try Self.decode(file, format: format) }

    private static func decode(_ file: Track, format: StreamFormat) throws(DecoderError) -> SoundMemory {
        try SoundMemory.read(Sound(file: file, gain: 1, head: head), format: format)
    }
}

extension SoundClip: Hashable {
    public static func == (one: SoundClip, other: SoundClip) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
