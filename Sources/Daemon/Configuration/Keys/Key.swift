/// A key of a section. It parses its value and changes a setting.
struct Key<Settings: Sendable>: Sendable {
    let name: String
    let isFreeText: Bool
    let assign: @Sendable (_ text: String, _ settings: inout Settings) throws(BadValue) -> Void
    /// Restores the built-in value.
    let reset: @Sendable (_ settings: inout Settings, _ builtIn: Settings) -> Void
    /// The key's part of the manual page, for a section with these built-in values.
    let documentation: @Sendable (_ builtIn: Settings) -> KeyDocumentation

    /// - Parameters:
    ///   - withoutValue: What applies if the built-in value is empty, for the manual page.
    ///   - since: The version of Tacet that introduced the key, or nil if it was the first one.
    ///   - meaning: The effect of the key for the manual page, in sentences that follow those about the values and the
    ///     default. An empty line separates paragraphs.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    init<Value: DocumentedValue>(
        _ name: String, _ path: WritableKeyPath<Settings, Value> & Sendable, _ kind: ValueKind<Value>,
        withoutValue: KeyDefault = .unset, since: String? = nil, _ meaning: String
    ) {
        self.name = name
        documentation = { builtIn in
            let text = builtIn[keyPath: path].configurationText
            return KeyDocumentation(
                name: name, meaning: meaning, values: kind.values, builtIn: text.isEmpty ? withoutValue : .value(text),
                since: since)
        }
        isFreeText = kind.isFreeText
        assign = { (text, settings) throws(BadValue) in settings[keyPath: path] = try kind.parse(text) }
        reset = { settings, builtIn in settings[keyPath: path] = builtIn[keyPath: path] }
    }

    /// Creates a key whose value is optional. An empty `Key=` sets it to nil if that is the built-in value.
    ///
    /// - Parameter withoutValue: What applies without a value, for the manual page.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    init<Value: Sendable>(
        _ name: String, optional path: WritableKeyPath<Settings, Value?> & Sendable, _ kind: ValueKind<Value>,
        withoutValue: KeyDefault = .unset, since: String? = nil, _ meaning: String
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
