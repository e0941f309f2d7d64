import ALSA
import AudioSession
import Configuration
import Evdev
import SessionClient
import Spelling
import Systemd

/// The input devices with their switches and keys, the jacks of the sound cards, and the inputs at which audio arrives,
/// with their current states.
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

    /// An `[Input NAME]` of the configuration.
    struct Audio: Hashable {
        let name: String
        let origin: String
        /// One of `programme`, `automatic` and `page`.
        let role: String
        /// One of `silent`, `sounding`, `selected` and `lost`.
        let state: String
        /// The peak level in decibels relative to full scale, or nil if nothing has arrived for a second.
        let level: Double?

        /// Reads the property `Inputs` of the supervisor.
        static func all(_ property: BusValue?) -> [Audio] {
            (property?.elements ?? []).compactMap { input in
                guard case .structure(let members) = input, members.count == 5, let name = members[0].text,
                    let origin = members[1].text, let role = members[2].text, let state = members[3].text,
                    case .double(let level) = members[4]
                else { return nil }
                return Audio(
                    name: name, origin: origin, role: role, state: state,
                    level: level > Level.mute.decibels ? level : nil)
            }
        }
    }

    var devices: [Device] = []
    var cards: [Card] = []
    /// The inputs of the running supervisor, which are empty if it does not run.
    var audio: [Audio] = []
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
                cards.append(Card(number: card.number, id: card.id, jacks: try CardControl(card).jacks()))
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
        return audioText + devices + cards
    }

    private var audioText: [String] {
        guard !audio.isEmpty else { return [] }
        let rows = audio.map { input in
            let level = input.level.map { "\(Int($0.rounded())) dBFS" }
            let role = input.role == "programme" ? nil : input.role
            return "  "
                + [input.name, input.origin, role, input.state, level].compactMap { $0 }.joined(separator: "  ")
        }
        return ["audio inputs of tacetd"] + rows
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
            ("audio", JSON.list(audio.map(InputListing.json))),
            ("problems", JSON.array(problems)),
        ])
    }

    private static func json(_ code: Code) -> String {
        JSON.object([
            ("name", JSON.string(code.name)), ("kind", JSON.string(code.isSwitch ? "switch" : "key")),
            ("on", "\(code.level)"),
        ])
    }

    private static func json(_ input: Audio) -> String {
        JSON.object([
            ("name", JSON.string(input.name)), ("from", JSON.string(input.origin)), ("role", JSON.string(input.role)),
            ("state", JSON.string(input.state)), ("level_dbfs", input.level.map { "\($0)" } ?? "null"),
        ])
    }

    private static func json(_ jack: JackInfo) -> String {
        JSON.object([("name", JSON.string(jack.name)), ("plugged", "\(jack.isPlugged)")])
    }
}
