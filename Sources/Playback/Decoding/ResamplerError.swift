/// Why the sample rate converter gave up.
public struct ResamplerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, e.g. "convert 44100 Hz to 48000 Hz".
    public let operation: String
    /// libsoxr's words.
    public let message: String

    public var description: String {
        "cannot \(operation): \(message)"
    }
}
