import ALSA
import Spelling

/// The sound devices, each with the setting that selects it.
struct DeviceListing {
    struct Row {
        let device: CardDevice
        /// The program that plays on the device, or nil if none does.
        let player: DeviceHolder?
        /// The program that records from the device, or nil if none does.
        let recorder: DeviceHolder?
        /// The jacks of the card, or nil if this user cannot read them.
        let jacks: [JackInfo]?
    }

    let rows: [Row]

    /// Reads the devices of this machine, without opening any of them. Therefore, it also works while programs use them.
    init() {
        self.init(CardDevice.all, holder: { DeviceHolder.find($0, capturing: $1) }) { card in
            try? CardControl(card).jacks()
        }
    }

    init(
        _ devices: [CardDevice], holder: (_ address: String, _ capturing: Bool) -> DeviceHolder?,
        jacks: (SoundCard) -> [JackInfo]?
    ) {
        var known: [SoundCard: [JackInfo]?] = [:]
        rows = devices.map { device in
            let address = "hw:CARD=\(device.card.id),DEV=\(device.number)"
            let found = known[device.card] ?? jacks(device.card)
            known[device.card] = .some(found)
            return Row(
                device: device, player: device.plays ? holder(address, false) : nil,
                recorder: device.captures ? holder(address, true) : nil, jacks: found)
        }
    }

    /// The list for people. Each description is a comment on a separate line, because a comment after a value would be
    /// part of it.
    var text: [String] {
        let devices = rows.map(\.device)
        return section("[Playback]", devices.forPlayback, \.player, showsJacks: true)
            + section("[Recording]", devices.forCapture, \.recorder, showsJacks: false)
    }

    private func section(
        _ heading: String, _ devices: [CardDevice], _ holder: (Row) -> DeviceHolder?, showsJacks: Bool
    ) -> [String] {
        guard !devices.isEmpty else { return [] }
        var cards: Set<SoundCard> = []
        return [heading]
            + devices.flatMap { device -> [String] in
                guard let row = rows.first(where: { $0.device == device }) else { return [] }
                let use = holder(row).map { ", used by \(words($0))" } ?? ""
                let lines = [
                    "# card \(device.card.number), \(device.name.visible(limit: 80))\(use)",
                    "Device=\(device.address)",
                ]
                // The jacks belong to the card, so they are listed once.
                guard showsJacks, cards.insert(device.card).inserted else { return lines }
                return lines
                    + row.outputJacks.flatMap { jack in
                        [
                            "# jack (\(jack.isPlugged ? "plugged in" : "empty"))",
                            "#Jack=\(jack.name.visible(limit: 43))",
                        ]
                    }
            }
    }

    private func words(_ holder: DeviceHolder) -> String {
        holder.description.visible + (holder.isSoundServer ? " until a program of its session asks for it" : "")
    }

    /// The list as one object, for programs.
    var json: String {
        JSON.object([("devices", JSON.list(rows.map(\.json)))])
    }
}

extension DeviceListing.Row {
    /// The jacks that can be those of an output. ALSA does not report the direction of a jack, except in its name.
    fileprivate var outputJacks: [JackInfo] {
        (jacks ?? []).filter { jack in !["Mic", "Line In", "Input"].contains { jack.name.contains($0) } }
    }

    fileprivate var json: String {
        JSON.object([
            ("device", JSON.string(device.address)), ("card", "\(device.card.number)"),
            ("card_id", JSON.string(device.card.id)), ("number", "\(device.number)"),
            ("name", JSON.string(device.name)), ("playback", "\(device.plays)"),
            ("capture", "\(device.captures)"), ("hdmi", "\(device.isHDMI)"),
            ("player", text(player)), ("recorder", text(recorder)),
            (
                "jacks",
                jacks.map { jacks in
                    JSON.list(
                        jacks.map { jack in
                            JSON.object([("name", JSON.string(jack.name)), ("plugged", "\(jack.isPlugged)")])
                        })
                } ?? "null"
            ),
        ])
    }

    private func text(_ holder: DeviceHolder?) -> String { holder.map { JSON.string($0.description) } ?? "null" }
}
