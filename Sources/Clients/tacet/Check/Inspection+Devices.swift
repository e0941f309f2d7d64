import ALSA
import Spelling

extension Inspection {
    /// Returns the advice for a device that is not present.
    /// - Parameters:
    ///   - name: the name in the configuration.
    ///   - key: the key that contains it, among other names if it is `FallbackDevices`.
    ///   - devices: the devices of this machine, the likeliest first.
    func suggestion(instead name: String, of key: String, _ devices: [CardDevice]) -> String {
        // A device that the configuration already names is no replacement for a fallback.
        let used = key == "FallbackDevices" ? configuration.playback.devices : []
        let free = devices.filter { !used.contains($0.address) }
        guard let first = free.first else {
            return devices.isEmpty
                ? "check that the card is plugged in and that its driver is loaded, because ‘tacet devices’ lists no device"
                : "plug in the card, or remove \(name), because this machine has no further device"
        }
        let setting = key == "FallbackDevices" ? "\(first.address) instead of \(name)" : "\(key)=\(first.address)"
        let others = free.count > 1 ? " (‘tacet devices’ also lists \(Self.list(free.dropFirst())))" : ""
        return "plug in the card, or write \(setting) for \(first.name.visible(limit: 80))\(others)"
    }

    /// The addresses of a few devices.
    private static func list(_ devices: ArraySlice<CardDevice>) -> String {
        let shown = devices.prefix(3).map(\.address)
        return (devices.count > shown.count ? shown + ["others"] : shown).enumeration
    }
}
