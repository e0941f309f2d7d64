/// The properties of a line that the kernel reports without a request. The level is not among them.
public struct LineInfo: Hashable, Sendable {
    public enum Direction: String, Hashable, Sendable { case input, output }

    /// The number of the line on the chip, counted from 0.
    public var offset: Int
    /// The name from the device tree or firmware of the board. Many lines do not have one.
    public var name: String?
    public var direction: Direction
    public var bias: LineBias
    /// True if a program or a kernel driver has requested the line.
    public var isUsed: Bool
    /// The name that the user of the line has set, or nil if it has not set one or if the line is free.
    public var consumer: String?
    /// True if the line was requested as active low.
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
    /// The path of the device, such as `/dev/gpiochip0`. It is never a link.
    public var path: String
    /// The name, such as `gpiochip0`. The kernel numbers chips in the order of their appearance, so the name can change
    /// after a reboot.
    public var name: String
    /// The label from the driver, such as `pinctrl-bcm2711`. Several chips can share a label.
    public var label: String
    /// The lines in order of their offsets, from 0.
    public var lines: [LineInfo]

    public init(path: String, name: String, label: String, lines: [LineInfo]) {
        self.path = path
        self.name = name
        self.label = label
        self.lines = lines
    }

    /// The name and label, such as `gpiochip0 (pinctrl-bcm2711)`.
    public var description: String { label.isEmpty ? name : "\(name) (\(label))" }
}
