/// What the kernel reports about a line without a request. That does not include its level.
public struct LineInfo: Hashable, Sendable {
    public enum Direction: String, Hashable, Sendable { case input, output }

    /// The line's number on the chip, from 0.
    public var offset: Int
    /// The name from the board's device tree or firmware; many lines have none.
    public var name: String?
    public var direction: Direction
    public var bias: LineBias
    /// Whether a program or a kernel driver has requested the line.
    public var isUsed: Bool
    /// The name of that program or driver; nil if it has not given one, or the line is free.
    public var consumer: String?
    /// Whether the line was requested as active low.
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

/// A chip and its lines at the time of listing.
public struct ChipInfo: Hashable, Sendable, CustomStringConvertible {
    /// The device's path, `/dev/gpiochip0`; never a link.
    public var path: String
    /// `gpiochip0`. The kernel numbers chips in the order of their appearance, so the name can change with a boot.
    public var name: String
    /// The label from its driver, `pinctrl-bcm2711`. Chips can share a label.
    public var label: String
    /// In order of their offsets, from 0.
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
