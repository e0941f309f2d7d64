import Signals

/// A section `[Button NAME]`, key by key.
struct ButtonSettings: WiredSettings, Hashable {
    var command: Button.Command?
    var line = LinePolicy()
    var wiring = WiringSettings()
}
