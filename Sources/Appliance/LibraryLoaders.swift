/// The libraries that are being read. For control's thread.
///
/// A disk that never answers keeps the thread that reads it. However often its library is requested, there is one such
/// thread for each path.
struct LibraryLoaders {
    private var unfinished: [LibraryLoader] = []
    private let read: (@Sendable (String) -> LibraryLoader.Outcome)?

    /// - Parameter read: for tests; nil: reads the disk.
    init(reading read: (@Sendable (String) -> LibraryLoader.Outcome)? = nil) { self.read = read }

    /// Begins to read a library, as it is from now on.
    mutating func load(_ path: String?) -> LibraryLoader {
        unfinished.removeAll(where: \.isFinished)
        if let loader = unfinished.first(where: { $0.path == path }), loader.repeatReading() { return loader }
        let loader = read.map { LibraryLoader(path, reading: $0) } ?? LibraryLoader(path)
        unfinished.append(loader)
        return loader
    }
}
