/// A key of a section: how its value is read, and where it goes.
struct Key<Settings: Sendable>: Sendable {
    let name: String
    let isFreeText: Bool
    let assign: @Sendable (_ text: String, _ settings: inout Settings) throws(BadValue) -> Void
    /// Puts the built-in value back.
    let reset: @Sendable (_ settings: inout Settings, _ builtIn: Settings) -> Void

    init<Value: Sendable>(
        _ name: String, _ path: WritableKeyPath<Settings, Value> & Sendable, _ kind: ValueKind<Value>
    ) {
        self.name = name
        isFreeText = kind.isFreeText
        assign = { (text, settings) throws(BadValue) in settings[keyPath: path] = try kind.parse(text) }
        reset = { settings, builtIn in settings[keyPath: path] = builtIn[keyPath: path] }
    }

    /// A key whose value may be missing: nothing but `Key=` says so.
    init<Value: Sendable>(
        _ name: String, optional path: WritableKeyPath<Settings, Value?> & Sendable, _ kind: ValueKind<Value>
    ) {
        self.name = name
        isFreeText = kind.isFreeText
        assign = { (text, settings) throws(BadValue) in settings[keyPath: path] = try kind.parse(text) }
        reset = { settings, builtIn in settings[keyPath: path] = builtIn[keyPath: path] }
    }
}

/// Which line of which file each key of a configuration has its value from.
struct KeyPlaces: Hashable, Sendable {
    /// By the section's name as in its heading, then by key.
    private var places: [String: [String: Place]] = [:]

    /// - Parameter section: as in its heading, without brackets: `Signal alarm`.
    subscript(key: String, in section: String) -> Place? { places[section]?[key] }

    mutating func set(_ places: [String: Place], of section: String) { self.places[section] = places }
}
