import Signals

/// A section `[Button NAME]`, key by key.
struct ButtonSettings: WiredSettings, Hashable {
    var command: Button.Command?
    var line = Button.usualLine
    var wiring = WiringSettings()
    var isEnabled = true
}
