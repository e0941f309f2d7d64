/// A key of a section: how to parse its value, and which setting it changes.
struct Key<Settings: Sendable>: Sendable {
    let name: String
    let isFreeText: Bool
    let assign: @Sendable (_ text: String, _ settings: inout Settings) throws(BadValue) -> Void
    /// Restores the built-in value.
    let reset: @Sendable (_ settings: inout Settings, _ builtIn: Settings) -> Void
    /// The key's part of tacet.conf(5), for a section with these built-in values.
    let documentation: @Sendable (_ builtIn: Settings) -> KeyDocumentation

    /// - Parameters:
    ///   - since: the version of Tacet that introduced the key.
    ///   - meaning: what the key does, for tacet.conf(5): sentences, without the values and the default.
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

    /// A key whose value is optional; an empty `Key=` makes it nil if that is the built-in value.
    ///
    /// - Parameter withoutValue: what applies without a value, for tacet.conf(5): `none`.
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
    /// By the section's name as in its heading, then by key.
    private var places: [String: [String: Place]] = [:]

    /// - Parameter section: as in its heading, without brackets: `Signal alarm`.
    subscript(key: String, in section: String) -> Place? { places[section]?[key] }

    mutating func set(_ places: [String: Place], of section: String) { self.places[section] = places }
}
