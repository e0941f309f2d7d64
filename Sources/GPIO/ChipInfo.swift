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
