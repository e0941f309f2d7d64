/// A key of a section. It parses its value and changes a setting.
struct Key<Settings: Sendable>: Sendable {
    let name: String
    let isFreeText: Bool
    let assign: @Sendable (_ text: String, _ settings: inout Settings) throws(BadValue) -> Void
    /// Restores the built-in value.
    let reset: @Sendable (_ settings: inout Settings, _ builtIn: Settings) -> Void
    /// The key's part of tacet.conf(5), for a section with these built-in values.
    let documentation: @Sendable (_ builtIn: Settings) -> KeyDocumentation

    /// - Parameters:
    ///   - since: The version of Tacet that introduced the key.
    ///   - meaning: The effect of the key for tacet.conf(5), in sentences and without the values and the default.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    init<Value: DocumentedValue>(
        _ name: String, _ path: WritableKeyPath<Settings, Value> & Sendable, _ kind: ValueKind<Value>,
        since: String, _ meaning: String
    ) {
        self.name = name
        documentation = { builtIn in
            KeyDocumentation(
                name: name, meaning: meaning, values: kind.values, builtIn: builtIn[keyPath: path].configurationText,
                since: since)
        }
        isFreeText = kind.isFreeText
        assign = { (text, settings) throws(BadValue) in settings[keyPath: path] = try kind.parse(text) }
        reset = { settings, builtIn in settings[keyPath: path] = builtIn[keyPath: path] }
    }

    /// Creates a key whose value is optional. An empty `Key=` sets it to nil if that is the built-in value.
    ///
    /// - Parameter withoutValue: The text for tacet.conf(5) about what applies without a value, such as `none`.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    init<Value: Sendable>(
        _ name: String, optional path: WritableKeyPath<Settings, Value?> & Sendable, _ kind: ValueKind<Value>,
        withoutValue: String = "none", since: String, _ meaning: String
    ) {
        self.name = name
        documentation = { _ in
            KeyDocumentation(name: name, meaning: meaning, values: kind.values, builtIn: withoutValue, since: since)
        }
        isFreeText = kind.isFreeText
        assign = { (text, settings) throws(BadValue) in settings[keyPath: path] = try kind.parse(text) }
        reset = { settings, builtIn in settings[keyPath: path] = builtIn[keyPath: path] }
    }
}

/// The file and line that set each key of a configuration.
struct KeyPlaces: Hashable, Sendable {
    /// The lines by the section's name as in its heading, and then by key.
    private var places: [String: [String: Place]] = [:]

    /// - Parameter section: The section as in its heading, without brackets, such as `Signal alarm`.
    subscript(key: String, in section: String) -> Place? { places[section]?[key] }

    mutating func set(_ places: [String: Place], of section: String) { self.places[section] = places }
}
