/// A sound that an engine plays over the music. It is a cue or an announcement.
public struct Sound: Sendable, Hashable {
    /// The longest part of a sound in memory. A longer sound is read from the disk beyond this part while it plays.
    public static let longestInMemory = Duration.seconds(60)

    public let file: Track
    /// The linear gain, 0…1, independent of the music's.
    public let gain: Float
    /// The part that is held in memory. It is longer than 0.
    let head: Duration

    public init(file: Track, gain: Float) {
        self.init(file: file, gain: gain, head: Self.longestInMemory)
    }

    init(file: Track, gain: Float, head: Duration) {
        self.file = file
        self.gain = gain
        self.head = head
    }
}
