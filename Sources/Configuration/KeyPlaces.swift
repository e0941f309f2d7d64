/// Which line of which file each key of a configuration has its value from.
struct KeyPlaces: Hashable, Sendable {
    /// By the section's name as in its heading, then by key.
    private var places: [String: [String: Place]] = [:]

    /// - Parameter section: as in its heading, without brackets: `Signal alarm`.
    subscript(key: String, in section: String) -> Place? { places[section]?[key] }

    mutating func set(_ places: [String: Place], of section: String) { self.places[section] = places }
}
