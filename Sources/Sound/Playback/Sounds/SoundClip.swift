import ALSA
import Synchronization

/// An audio file that is played once, in place of a sound's own file. The whole file is in memory, and its first
/// seconds are decoded.
///
/// Unlike a sound's own file, the file of a clip may be deleted before the clip is played, and playing a clip does not
/// access a disk.
// The size is limited because 16 pending clips must fit into the memory of a small board, and decoded frames are larger
// than the file.
public final class SoundClip: Sendable {
    /// The maximum size of a file, in bytes.
    public static let largestFile = 2 << 20
    /// The duration that is decoded in advance. The rest is decoded while the clip plays.
    private static let head = Duration.seconds(10)
    /// The lock that is held while a clip is decoded, so that many clips at once do not occupy all processors.
    private static let decoding = Mutex(())

    let file: Track
    /// The decoded beginning, in the format that the device had at the time of loading.
    let memory: SoundMemory
    /// The linear gain, 0…1, by which the sound's own gain is multiplied.
    let gain: Float

    private init(_ file: Track, _ memory: SoundMemory, gain: Float = 1) {
        self.file = file
        self.memory = memory
        self.gain = gain
    }

    /// Returns the same clip at a lower level.
    /// - Parameter gain: the linear gain, 0…1, by which the sound's own gain is multiplied.
    public func attenuated(by gain: Float) -> SoundClip { SoundClip(file, memory, gain: gain) }

    public var path: String { file.path }

    /// The length, as in `SoundMemory.length`.
    public var length: Duration { memory.length }

    /// Reads a file of at most `largestFile` bytes and decodes at most its first minute. The call waits for the storage
    /// and for other clips that are being decoded.
    /// - Parameter format: the probable format of the device.
    /// - Throws: `DecoderError` if the file cannot be used. As for a sound's own file, this includes damage within its
    ///   first minute.
    public static func load(_ path: String, format: StreamFormat) throws(DecoderError) -> SoundClip {
        let content = try FileContent.read(Track(path: path), limit: largestFile)
        let file = Track(path: path, content: content)
        return try decoding.withLock { (_) throws(DecoderError) in
            let memory = try decode(file, format: format)
            if !memory.isWhole { _ = try Sound.check(file) }
            return SoundClip(file, memory)
        }
    }

    /// Decodes the first seconds of the clip in another format. This takes time but does not wait for the storage.
    func read(in format: StreamFormat) throws(DecoderError) -> SoundMemory { try Self.decode(file, format: format) }

    private static func decode(_ file: Track, format: StreamFormat) throws(DecoderError) -> SoundMemory {
        try SoundMemory.read(Sound(file: file, gain: 1, head: head), format: format)
    }
}

extension SoundClip: Hashable {
    public static func == (one: SoundClip, other: SoundClip) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
