/// The keys of a section that say where its line is, as they were written.
struct WiringSettings: Hashable, Sendable {
    var line: String?
    var chip: String?
    var offset: Int?
    var bias = Wiring.Bias.asIs
}
