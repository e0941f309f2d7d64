import CEvdev

/// A switch or key of an input device, identified by its name in the kernel.
public struct InputCode: Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `SW_LID`, `KEY_PLAYPAUSE` or `BTN_0`.
    public let name: String
    let type: UInt32
    let code: UInt32

    /// Creates a code from its name.
    /// - Returns: nil if libevdev does not have a switch, key or button with this name.
    public init?(_ name: String) {
        let type = libevdev_event_type_from_code_name(name)
        let code = libevdev_event_code_from_code_name(name)
        guard type == EV_SW || type == EV_KEY, code >= 0 else { return nil }
        self.name = name
        self.type = UInt32(type)
        self.code = UInt32(code)
    }

    init?(type: UInt32, code: UInt32) {
        guard let name = libevdev_event_code_get_name(type, code) else { return nil }
        self.name = String(cString: name)
        self.type = type
        self.code = code
    }

    public var isSwitch: Bool { type == EV_SW }
    public var description: String { name }

    /// The names of switches and keys in libevdev, for suggestions.
    public static var allNames: [String] {
        [(UInt32(EV_SW), UInt32(SW_MAX)), (UInt32(EV_KEY), UInt32(KEY_MAX))].flatMap { type, last in
            (0...last).compactMap { InputCode(type: type, code: $0)?.name }
        }
    }
}
