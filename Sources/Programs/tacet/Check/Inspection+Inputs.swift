import ALSA
import Configuration
import Evdev
import Glibc
import Spelling

extension Inspection {
    /// Whether this machine has the switches, keys and jacks of signals and buttons.
    mutating func inspectInputs() {
        let signals = configuration.session.signals.compactMap { signal in
            configuration.sources[signal.id].map { (section: "Signal \(signal.id)", source: $0) }
        }
        let buttons = configuration.buttons.map { (section: "Button \($0.name)", source: $0.source) }
        let output = configuration.playback.jack.map { jack in
            let card = PCMAddress(configuration.playback.device).card
            return (section: "Playback", source: LevelSource.jack(JackSelector(control: jack, card: card)))
        }
        var listing: InputListing?
        for (section, source) in signals + buttons + [output].compactMap({ $0 }) {
            switch source {
            case .input(let input):
                let found = listing ?? inputs()
                listing = found
                inspect(input, in: section, found)
            case .jack(let jack):
                let found = listing ?? inputs()
                listing = found
                inspect(jack, in: section, found)
            case .line, .call, .bus: break
            }
        }
    }

    private mutating func inspect(_ input: InputSelector, in section: String, _ listing: InputListing) {
        guard InputCode(input.code) != nil else {
            let similar = Spelling.suggestion(for: input.code, in: InputCode.allNames)
            return warn(
                loaded.warning(
                    about: "Code", in: section, "Code=\(input.code): the kernel has no switch or key of this name",
                    advice: similar ?? "‘tacet inputs’ lists those of each device"))
        }
        let isPath = input.device.hasPrefix("/")
        let path = isPath ? InputKernel().realPath(input.device) : input.device
        let devices = listing.devices.filter { isPath ? $0.path == path : $0.name == input.device }
        guard !devices.isEmpty else {
            let names = listing.devices.map(\.name)
            let similar = isPath ? nil : Spelling.suggestion(for: input.device, in: names)
            return warn(
                loaded.warning(
                    about: "Input", in: section, "Input=\(input.device): this machine has no such input device",
                    advice: (similar.map { "\($0) " } ?? "") + "‘tacet inputs’ lists the devices; "
                        + "Enabled=no in its section if this board does not have it"))
        }
        guard devices.allSatisfy({ $0.codes != nil }) else {
            return note("\(input.device): this user cannot read the input device; check as root")
        }
        let having = devices.filter { $0.codes?.contains { $0.name == input.code } ?? false }
        if having.isEmpty {
            warn(
                loaded.warning(
                    about: "Code", in: section, "Code=\(input.code): \(input.device) has no such switch or key",
                    advice: "‘tacet inputs --all’ lists what it has"))
        } else if having.count > 1 {
            warn(
                loaded.warning(
                    about: "Input", in: section,
                    "Input=\(input.device): \(having.count) devices have this name: "
                        + having.map(\.path).joined(separator: ", "),
                    advice: "write the path of one of them, such as its link in /dev/input/by-path"))
        }
    }

    private mutating func inspect(_ jack: JackSelector, in section: String, _ listing: InputListing) {
        let cards = listing.cards.filter { card in
            jack.card.map { name in Int(name).map { $0 == card.number } ?? (name == card.id) } ?? true
        }
        if cards.contains(where: { $0.jacks == nil }) {
            return note("\(jack.control): this user cannot read the sound card's jacks; check as root")
        }
        let having = cards.filter { $0.jacks?.contains { $0.name == jack.control } ?? false }
        let isOutput = section == "Playback"
        if having.isEmpty {
            let missing = cards.isEmpty && jack.card != nil
            // `inspectDevices` has reported the missing card.
            if missing, isOutput { return }
            let names = cards.flatMap { $0.jacks?.map(\.name) ?? [] }
            let similar = Spelling.suggestion(for: jack.control, in: names).map { "\($0) " } ?? ""
            warn(
                loaded.warning(
                    about: missing ? "Card" : "Jack", in: section,
                    missing
                        ? "Card=\(jack.card ?? ""): this machine has no such sound card"
                        : "Jack=\(jack.control): no sound card has a jack of this name",
                    advice: "\(similar)‘tacet inputs’ lists the jacks; "
                        + (isOutput
                            ? "remove Jack= if this board does not have it"
                            : "Enabled=no in its section if this board does not have it")))
        } else if having.count > 1 {
            warn(
                loaded.warning(
                    about: "Jack", in: section, "Jack=\(jack.control): \(having.count) sound cards have such a jack",
                    advice: (isOutput ? "name the card in Device=: " : "add Card= with one of: ")
                        + having.map(\.id).joined(separator: ", ")))
        }
    }
}
