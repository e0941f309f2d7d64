/// The device-tree overlays in hardware/overlays, which name a board's lines, and the folder in which they are
/// installed.
public enum Overlay {
    static let lines: Set = ["PHONE_CALL", "ALARM", "COVER_CLOSED", "PLAY_PAUSE", "AMPLIFIER", "POWER_FAIL"]

    /// The overlays by the most specific name in the device tree's `compatible`.
    static let files = [
        "raspberrypi,3-model-b": "tacet-rpi-3-b", "raspberrypi,3-model-b-plus": "tacet-rpi-3-b-plus",
        "raspberrypi,4-model-b": "tacet-rpi-4-b", "raspberrypi,5-model-b": "tacet-rpi-5-b",
        "beagle,am625-beagleplay": "tacet-beagleplay",
    ]

    /// The groups of pin settings in the overlays. They set the resistors of the lines, and do not use the lines.
    public static let groups: Set = ["tacet-lines"]

    /// Returns true if a node of a device tree, such as `/tacet-keys/cover`, belongs to an overlay that turns lines into
    /// keys.
    public static func isKeys(_ node: String) -> Bool { node.hasPrefix("/tacet-keys/") }

    /// Returns advice if a board lacks a line that an overlay would name, or nil if none would.
    static func advice(for line: String, on model: String?) -> String? {
        guard let model, lines.contains(line) else { return nil }
        if let file = files[model] {
            return "load the overlay that names it: /usr/share/tacet/overlays/\(file).dtbo"
        }
        return model.hasPrefix("raspberrypi,")
            ? "load an overlay that names it, such as the one that /usr/share/doc/tacet/examples/draft writes" : nil
    }
}
