import AudioSession
import Spelling

extension Draft {
    /// Adds the outputs to a configuration and reports missing and conflicting settings.
    mutating func addOutputs(to configuration: inout Configuration, _ claimed: inout [ClaimedSource]) {
        for section in outputs where section.settings.isEnabled {
            let title = "[Output \(section.name)]"
            let wiring = Wiring.read(section, title, &self)
            if let wiring, let place = section.places["Line"] ?? section.places["Offset"] {
                claim(.line(wiring), for: title, at: place, &claimed)
            }
            check(section, title)
            guard let policy = section.settings.policy(id: OutputID(section.name)) else { continue }
            configuration.outputs.append(
                Output(
                    policy, wiring: wiring, isActiveLow: section.settings.isActiveLow, drive: section.settings.drive))
        }
    }

    private mutating func check(_ output: SectionDraft<OutputSettings>, _ title: String) {
        guard let declared = output.declared else { return }
        if !output.sets("Means") {
            let meanings = OutputMeaning.all.map(\.name).alternatives
            report(.error, declared, "\(title) does not specify what it means", "write Means= with \(meanings)")
        }
        if let meaning = output.settings.meaning {
            for other in OutputMeaning.all where other.name != meaning.name {
                for key in other.keys {
                    warn(
                        ignoring: key, of: output, title, because: "the output means \(meaning.name)",
                        remedy: "Means=\(other.name)")
                }
            }
        }
        if !["Line", "Chip", "Offset"].contains(where: output.sets) {
            report(
                .warning, declared, "\(title) has no line, so it can be rehearsed, but does not drive anything",
                "write Line=, or Chip= and Offset=, as listed by ‘tacet lines’, or write Enabled=no if this board "
                    + "does not have it")
        }
    }
}
