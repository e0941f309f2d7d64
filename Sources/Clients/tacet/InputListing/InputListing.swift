import ALSA
import Configuration
import Evdev
import Spelling

/// The input devices with their switches and keys, and the jacks of the sound cards, with their current states.
struct InputListing {
    struct Code: Hashable {
        let name: String
        let isSwitch: Bool
        /// True if the switch is on or the key is held.
        let level: Bool
    }

    struct Device: Hashable {
        let path: String
        let name: String
        /// The switches and keys, or nil if this user cannot open the device.
        let codes: [Code]?
    }

    struct Card: Hashable {
        let number: Int
        let id: String
        /// The jacks, or nil if this user cannot open the card.
        let jacks: [JackInfo]?
    }

    var devices: [Device] = []
    var cards: [Card] = []
    /// Messages about devices and cards that cannot be read.
    var problems: [String] = []

    init(devices: [Device], cards: [Card]) {
        self.devices = devices
        self.cards = cards
    }

    /// Reads the devices and cards of this machine.
    init() {
        for node in InputKernel().nodes() {
            do throws(InputError) {
                let device = try InputDevice(node.path)
                let codes = device.codes.map { Code(name: $0.name, isSwitch: $0.isSwitch, level: device.level(of: $0)) }
                devices.append(Device(path: node.path, name: device.name, codes: codes))
            } catch {
                devices.append(Device(path: node.path, name: node.name, codes: nil))
                problems.append("\(error.advised(InputSelector.advice))")
            }
        }
        for card in SoundCard.all {
            do throws(PCMError) {
                cards.append(Card(number: card.number, id: card.id, jacks: try JackControl(card).jacks()))
            } catch {
                cards.append(Card(number: card.number, id: card.id, jacks: nil))
                problems.append("\(error)")
            }
        }
    }

    /// - Parameter all: true to include keys that are not held, of which a keyboard has hundreds.
    func text(all: Bool) -> [String] {
        let devices = devices.flatMap { device -> [String] in
            let title = "\(device.path) “\(device.name)”"
            guard let codes = device.codes else { return ["\(title): no permission"] }
            let shown = codes.filter { all || $0.isSwitch || $0.level || codes.count <= InputListing.few }
            let rest = codes.count - shown.count
            let rows = shown.map { code in
                "  \(code.name)  \(code.isSwitch ? (code.level ? "on" : "off") : (code.level ? "held" : "released"))"
            }
            return [title] + rows + (rest > 0 ? ["  \(rest) more keys are not held; --all lists them"] : [])
        }
        let cards = cards.flatMap { card -> [String] in
            let title = "card \(card.number) “\(card.id)”"
            guard let jacks = card.jacks else { return ["\(title): no permission"] }
            guard !jacks.isEmpty else { return ["\(title): reports no jacks"] }
            return [title] + jacks.map { "  \($0.name)  \($0.isPlugged ? "plugged in" : "empty")" }
        }
        return devices + cards
    }

    /// The maximum number of keys for which all are listed. A device with more keys is treated as a keyboard.
    private static let few = 12

    /// The list as one object, for programs.
    var json: String {
        JSON.object([
            (
                "devices",
                JSON.list(
                    devices.map { device in
                        JSON.object([
                            ("path", JSON.string(device.path)), ("name", JSON.string(device.name)),
                            ("codes", device.codes.map { JSON.list($0.map(InputListing.json)) } ?? "null"),
                        ])
                    })
            ),
            (
                "cards",
                JSON.list(
                    cards.map { card in
                        JSON.object([
                            ("number", "\(card.number)"), ("id", JSON.string(card.id)),
                            ("jacks", card.jacks.map { JSON.list($0.map(InputListing.json)) } ?? "null"),
                        ])
                    })
            ),
            ("problems", JSON.array(problems)),
        ])
    }

    private static func json(_ code: Code) -> String {
        JSON.object([
            ("name", JSON.string(code.name)), ("kind", JSON.string(code.isSwitch ? "switch" : "key")),
            ("on", "\(code.level)"),
        ])
    }

    private static func json(_ jack: JackInfo) -> String {
        JSON.object([("name", JSON.string(jack.name)), ("plugged", "\(jack.isPlugged)")])
    }
}
