import ALSA
import Synchronization

/// An audio file that is played once, in place of a sound's own file. The whole file is in memory, and its first
/// seconds are decoded.
///
/// Unlike a sound's file, it may be deleted while it waits, and playing it does not access a disk.
// The file is small but is larger when decoded, and 16 pending clips must fit into the memory of a small board.
public final class SoundClip: Sendable {
    /// The size of the largest file, in bytes.
    public static let largestFile = 2 << 20
    /// The duration that is decoded in advance. The rest is decoded while it plays.
    private static let head = Duration.seconds(10)
    /// The lock that is held while a clip is decoded, so that many at once leave processors to other programs.
    private static let decoding = Mutex(())

    let file: Track
    /// The decoded beginning, in the device's format at the time of loading.
    let memory: SoundMemory
    /// The linear gain, 0…1, which is a factor of its sound's own gain.
    let gain: Float

    private init(_ file: Track, _ memory: SoundMemory, gain: Float = 1) {
        self.file = file
        self.memory = memory
        self.gain = gain
    }

    /// Returns the same clip at a lower level.
    /// - Parameter gain: the linear gain, 0…1, which is a factor of its sound's own gain.
    public func attenuated(by gain: Float) -> SoundClip { SoundClip(file, memory, gain: gain) }

    public var path: String { file.path }

    /// The length, as in `SoundMemory.length`.
    public var length: Duration { memory.length }

    /// Reads a file of at most `largestFile` bytes and decodes it up to a minute. The call blocks on the storage and on
    /// other clips that are being decoded.
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

    /// Decodes its first seconds in another format. This takes time but does not wait for the storage.
    func read(in format: StreamFormat) throws(DecoderError) -> SoundMemory { try Self.decode(file, format: format) }

    private static func decode(_ file: Track, format: StreamFormat) throws(DecoderError) -> SoundMemory {
        try SoundMemory.read(Sound(file: file, gain: 1, head: head), format: format)
    }
}

extension SoundClip: Hashable {
    public static func == (one: SoundClip, other: SoundClip) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
