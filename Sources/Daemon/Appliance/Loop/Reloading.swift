import Configuration

/// The reload in progress. There is only one at a time. A request that arrives during a reload is carried out
/// afterwards.
struct Reloading {
    /// The configuration that is being applied, and the query for its library.
    private var candidate: (loaded: LoadedConfiguration, query: LibraryQuery)?
    /// True if another reload has been requested.
    private(set) var isDue = false

    var isInProgress: Bool { candidate != nil }

    mutating func begin(_ loaded: LoadedConfiguration, awaiting query: LibraryQuery) { candidate = (loaded, query) }

    /// - Returns: The configuration that was being applied.
    @discardableResult
    mutating func end() -> LoadedConfiguration? {
        defer { candidate = nil }
        return candidate?.loaded
    }

    mutating func postpone() { isDue = true }

    /// - Returns: True if a reload was postponed. The postponement is then cleared.
    mutating func takeDue() -> Bool {
        defer { isDue = false }
        return isDue
    }
}
