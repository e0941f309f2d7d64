import Signals

/// The settings of a section that has a line: a signal's or a button's.
protocol WiredSettings: Sendable {
    var wiring: WiringSettings { get set }
    var line: LinePolicy { get set }
    /// Whether this board has it: otherwise it is as if the section were not there.
    var isEnabled: Bool { get set }
}
