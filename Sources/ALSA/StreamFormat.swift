/// Shape of a stream of interleaved frames.
public struct StreamFormat: Sendable, Hashable, CustomStringConvertible {
    /// Frames per second, Hz; above zero.
    public var rate: Int
    /// Samples per frame; above zero.
    public var channels: Int

    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    public var description: String {
        "\(rate) Hz, \(channels) ch"
    }
}
