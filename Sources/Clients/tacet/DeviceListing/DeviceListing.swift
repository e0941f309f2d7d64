import ALSA
import Spelling

/// The sound devices, each with the setting that selects it.
struct DeviceListing {
    struct Row {
        let device: CardDevice
        /// The program that plays on the device, or nil if none does.
        let holder: DeviceHolder?
    }

    let rows: [Row]

    init(
        _ devices: [CardDevice] = CardDevice.all,
        holder: (_ address: String) -> DeviceHolder? = { DeviceHolder.find($0) }
    ) {
        rows = devices.map { device in
            let address = "hw:CARD=\(device.card.id),DEV=\(device.number)"
            return Row(device: device, holder: device.plays ? holder(address) : nil)
        }
    }

    /// The list for people.
    var text: [String] {
        let devices = rows.map(\.device)
        return section("[Playback]", devices.forPlayback) + section("[Recording]", devices.forCapture)
    }

    /// Each description is a comment on a separate line, because a comment after a value would be part of it.
    private func section(_ heading: String, _ devices: [CardDevice]) -> [String] {
        guard !devices.isEmpty else { return [] }
        return [heading]
            + devices.flatMap { device in
                let holder = heading == "[Playback]" ? rows.first { $0.device == device }?.holder : nil
                let use = holder.map { ", used by \($0.description.visible)" } ?? ""
                return [
                    "# card \(device.card.number), \(device.name.visible(limit: 80))\(use)",
                    "Device=\(device.address)",
                ]
            }
    }

    /// The list as one object, for programs.
    var json: String {
        JSON.object([
            (
                "devices",
                JSON.list(
                    rows.map { row in
                        JSON.object([
                            ("device", JSON.string(row.device.address)), ("card", "\(row.device.card.number)"),
                            ("card_id", JSON.string(row.device.card.id)), ("number", "\(row.device.number)"),
                            ("name", JSON.string(row.device.name)), ("playback", "\(row.device.plays)"),
                            ("capture", "\(row.device.captures)"), ("hdmi", "\(row.device.isHDMI)"),
                            ("user", row.holder.map { JSON.string($0.description) } ?? "null"),
                        ])
                    })
            )
        ])
    }
}
