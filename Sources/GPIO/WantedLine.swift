/// A line that a `LineReader` is to read.
public struct WantedLine<ID: Hashable & Sendable>: Hashable, Sendable {
    /// What the caller calls it; each once.
    public var id: ID
    public var selector: LineSelector
    public var bias: LineBias
    /// By the kernel, where there is one (see `LineSetting`); nil: each edge.
    public var debounce: Duration?

    public init(_ id: ID, _ selector: LineSelector, bias: LineBias = .asIs, debounce: Duration? = nil) {
        self.id = id
        self.selector = selector
        self.bias = bias
        self.debounce = debounce
    }
}
