import ALSA
import Configuration
import Evdev
import Glibc
import Spelling

extension Inspection {
    /// Warns about switches, keys and jacks of signals and buttons that this machine does not have.
    mutating func inspectInputs() {
        let inputs = inputs
        lazy var listing = inputs()
        for (id, source, _) in configuration.wires {
            if let input = source.as(InputSelector.self) { inspect(input, in: id.section, listing) }
            if let jack = source.as(JackSelector.self) { inspect(jack, of: id, listing) }
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
                        + "write Enabled=no in its section if this board does not have it"))
        }
        guard devices.allSatisfy({ $0.codes != nil }) else {
            return note("\(input.device): this user cannot read the input device, so run this as root")
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

    private mutating func inspect(_ jack: JackSelector, of id: WireID, _ listing: InputListing) {
        let cards = listing.cards.filter { card in
            jack.card.map { name in Int(name).map { $0 == card.number } ?? (name == card.id) } ?? true
        }
        if cards.contains(where: { $0.jacks == nil }) {
            return note("\(jack.control): this user cannot read the jacks of the sound card, so run this as root")
        }
        let having = cards.filter { $0.jacks?.contains { $0.name == jack.control } ?? false }
        let (section, isOutput) = (id.section, id == .outputJack)
        if having.isEmpty {
            let missing = cards.isEmpty && jack.card != nil
            // `inspectDevices` has already reported the missing card.
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
                            : "write Enabled=no in its section if this board does not have it")))
        } else if having.count > 1 {
            warn(
                loaded.warning(
                    about: "Jack", in: section, "Jack=\(jack.control): \(having.count) sound cards have such a jack",
                    advice: (isOutput ? "name the card in Device=: " : "add Card= with one of: ")
                        + having.map(\.id).joined(separator: ", ")))
        }
    }
}
