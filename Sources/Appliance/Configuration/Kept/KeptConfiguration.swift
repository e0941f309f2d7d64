import Files
import Glibc

/// The last configuration that worked: all of its files as they were read, in one file of the state's folder.
///
/// Its calls block for as long as the disk does.
public struct KeptConfiguration: Hashable, Sendable {
    /// Where its files came from. Each source is kept in a file of its own: what somebody tries out by hand neither brings
    /// up the service's configuration nor replaces it.
    public let source: ConfigurationSource
    /// When it worked first, by the wall clock: since 1970.
    public let time: Duration
    public let texts: [ConfigurationText]

    public init(_ loaded: LoadedConfiguration, from source: ConfigurationSource, at time: Duration) {
        self.source = source.absolute
        self.time = time
        // By then the daemon may run elsewhere.
        texts = loaded.texts.map {
            ConfigurationText(path: ConfigurationSource.absolute($0.path), bytes: $0.bytes)
        }
    }

    /// The file in a state's folder.
    public static func path(in directory: String, of source: ConfigurationSource) -> String {
        switch source.absolute {
        case .folders: directory + "/configuration"
        case .file(let path): directory + "/configuration-" + Checksum.text(of: path.utf8)
        }
    }

    /// - Throws: every mistake, if it was kept by a version that read it otherwise.
    public func load() throws(ConfigurationError) -> LoadedConfiguration { try ConfigurationAttempt(texts).get() }

    /// Whether it has the same files with the same text, whenever it worked first.
    public func hasSameText(as other: KeptConfiguration) -> Bool { source == other.source && texts == other.texts }

    // MARK: The file

    /// Why a kept configuration cannot be used.
    public enum Unusable: Error, Hashable, Sendable, CustomStringConvertible {
        case file(FileError)
        case damaged(path: String)

        public var description: String {
            switch self {
            case .file(let error): "\(error)"
            case .damaged(let path): "\(path) is damaged"
            }
        }
    }

    /// More than any configuration has.
    private static let sizeLimit = 16 << 20

    /// - Returns: nil if none has been kept there yet.
    public static func read(
        from directory: String, of source: ConfigurationSource
    ) throws(Unusable) -> KeptConfiguration? {
        let path = path(in: directory, of: source)
        let bytes: [UInt8]
        do throws(FileError) {
            // Not to wait for a writer, if it is a FIFO.
            bytes = try OpenFile.open(path, O_RDONLY | O_NONBLOCK).readAll(limit: sizeLimit)
        } catch {
            if error.code == ENOENT { return nil }
            throw .file(error)
        }
        guard let kept = KeptConfiguration(bytes: bytes) else { throw .damaged(path: path) }
        return kept
    }

    /// Replaces the one that was kept there before.
    public func write(to directory: String) throws(FileError) {
        try OpenFile.replace(KeptConfiguration.path(in: directory, of: source), with: bytes)
    }
}
