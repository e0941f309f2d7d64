/// How a line of a chip is to be requested.
public struct LineSetting: Hashable, Sendable {
    /// Its number on the chip, from 0.
    public var offset: Int
    public var bias: LineBias
    /// Levels shorter than this are kept back by the kernel, to whole microseconds, and what is not comes later by as
    /// much, with a time stamp to match. Nil: each edge. libgpiod 1 has none, and ignores it.
    public var debounce: Duration?

    public init(offset: Int, bias: LineBias = .asIs, debounce: Duration? = nil) {
        self.offset = offset
        self.bias = bias
        self.debounce = debounce
    }
}
