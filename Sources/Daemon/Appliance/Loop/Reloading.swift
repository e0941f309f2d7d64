import Configuration

/// The reload in progress. There is one at a time: a request meanwhile is carried out afterwards.
struct Reloading {
    /// The configuration that is being applied, and the query for its library.
    private var candidate: (loaded: LoadedConfiguration, query: LibraryQuery)?
    /// Whether another reload is requested.
    private(set) var isDue = false

    var isInProgress: Bool { candidate != nil }

    mutating func begin(_ loaded: LoadedConfiguration, awaiting query: LibraryQuery) { candidate = (loaded, query) }

    /// - Returns: the configuration that was being applied.
    @discardableResult
    mutating func end() -> LoadedConfiguration? {
        defer { candidate = nil }
        return candidate?.loaded
    }

    mutating func postpone() { isDue = true }

    /// - Returns: whether a reload has been postponed, which it is no longer.
    mutating func takeDue() -> Bool {
        defer { isDue = false }
        return isDue
    }
}
