/// What the kernel says of a line without anybody requesting it: no level.
public struct LineInfo: Hashable, Sendable {
    public enum Direction: String, Hashable, Sendable { case input, output }

    /// Its number on the chip, from 0.
    public var offset: Int
    /// By the board's device tree or firmware; many lines have none.
    public var name: String?
    public var direction: Direction
    public var bias: LineBias
    /// Whether somebody, a program or the kernel, has taken it.
    public var isUsed: Bool
    /// What its user calls itself; nil where it does not say, or there is none.
    public var consumer: String?
    /// Whether its user takes the low level for active.
    public var isActiveLow: Bool

    public init(
        offset: Int, name: String? = nil, direction: Direction = .input, bias: LineBias = .asIs, isUsed: Bool = false,
        consumer: String? = nil, isActiveLow: Bool = false
    ) {
        self.offset = offset
        self.name = name
        self.direction = direction
        self.bias = bias
        self.isUsed = isUsed
        self.consumer = consumer
        self.isActiveLow = isActiveLow
    }
}

/// A chip and its lines, as they were when they were listed.
public struct ChipInfo: Hashable, Sendable, CustomStringConvertible {
    /// `/dev/gpiochip0`; no link.
    public var path: String
    /// `gpiochip0`: by order of appearance, so it may be another one after a boot.
    public var name: String
    /// By its driver: `pinctrl-bcm2711`. Two chips may have the same.
    public var label: String
    /// In the order of their offsets, from 0.
    public var lines: [LineInfo]

    public init(path: String, name: String, label: String, lines: [LineInfo]) {
        self.path = path
        self.name = name
        self.label = label
        self.lines = lines
    }

    /// `gpiochip0 (pinctrl-bcm2711)`.
    public var description: String { label.isEmpty ? name : "\(name) (\(label))" }
}
