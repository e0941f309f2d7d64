/// The nodes of a device tree, with those of their properties that show who uses the lines of a GPIO chip.
///
/// The tree describes the board to the kernel, and a firmware or an overlay may have changed it. Its contents are
/// therefore not trusted: the number of nodes, their depth and the size of their properties are limited, and whatever is
/// malformed is ignored.
public struct DeviceTree: Hashable, Sendable {
    /// The limits for a tree. The tree of a Raspberry Pi has a few hundred nodes, which are at most 8 levels deep.
    public struct Limits: Hashable, Sendable {
        public var nodes = 16_384
        public var depth = 32
        /// The size of a property in bytes.
        public var property = 4_096
        /// The size of all properties in bytes.
        public var bytes = 1 << 20

        public init() {}
    }

    struct Node: Hashable, Sendable {
        /// The path, such as `/soc/gpio@7e200000`. The path of the root is empty.
        let path: String
        let parent: Int?
        let depth: Int
        var properties: [String: [UInt8]] = [:]

        /// The name, such as `gpio@7e200000`.
        var name: Substring { path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...] }
    }

    /// The nodes. The parent of each node is before it, and the first one is the root.
    private(set) var nodes: [Node] = []
    /// True if a limit has been reached, so that a part of the tree is missing.
    public private(set) var isTruncated = false
    private let limits: Limits
    private var bytes = 0

    init(limits: Limits = Limits()) {
        self.limits = limits
        nodes.append(Node(path: "", parent: nil, depth: 0))
    }

    /// Adds a node.
    ///
    /// - Returns: its index, or nil if a limit has been reached.
    mutating func addNode(_ name: String, under parent: Int) -> Int? {
        let depth = nodes[parent].depth + 1
        guard nodes.count < limits.nodes, depth <= limits.depth else {
            isTruncated = true
            return nil
        }
        nodes.append(Node(path: "\(nodes[parent].path)/\(Self.printable(name))", parent: parent, depth: depth))
        return nodes.count - 1
    }

    /// Adds a property to a node, unless it is irrelevant or a limit has been reached.
    mutating func setProperty(_ name: String, _ value: [UInt8], of node: Int) {
        guard Self.isRelevant(name) else { return }
        guard value.count <= limits.property, bytes + value.count <= limits.bytes else {
            isTruncated = true
            return
        }
        bytes += value.count
        nodes[node].properties[name] = value
    }

    /// Returns true if a property can show who uses a line.
    static func isRelevant(_ name: String) -> Bool {
        isLineList(name) || isPinState(name)
            || ["phandle", "status", "compatible", "#gpio-cells", "gpio-hog", "brcm,pins", "pins"].contains(name)
    }

    /// Returns true if the property contains lines of chips. `nr-gpios` is a number of lines instead.
    static func isLineList(_ name: String) -> Bool {
        if name == "nr-gpios" || name.hasSuffix(",nr-gpios") { return false }
        return name == "gpios" || name == "gpio" || name.hasSuffix("-gpios") || name.hasSuffix("-gpio")
    }

    /// Returns true if the property contains the pin settings for a state of the device, such as `pinctrl-0`.
    static func isPinState(_ name: String) -> Bool {
        name.hasPrefix("pinctrl-") && Int(name.dropFirst("pinctrl-".count)) != nil
    }

    /// Replaces everything that is not printable, because these texts are shown to people.
    static func printable(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
