import Files
import Glibc

/// The last configuration that worked. The texts of all its files are stored in one file in the state directory.
///
/// Reading and writing block for as long as the disk does.
public struct KeptConfiguration: Hashable, Sendable {
    /// The source of its files. Each source has its own kept file, so a trial run from the command line neither uses
    /// nor replaces the service's kept configuration.
    public let source: ConfigurationSource
    /// The time at which the configuration first worked, by the wall clock since 1970.
    public let time: Duration
    public let texts: [ConfigurationText]

    public init(_ loaded: LoadedConfiguration, from source: ConfigurationSource, at time: Duration) {
        self.source = source.absolute
        self.time = time
        // The daemon that reads it may have another working directory.
        texts = loaded.texts.map {
            ConfigurationText(path: ConfigurationSource.absolute($0.path), bytes: $0.bytes)
        }
    }

    /// Returns the path of the kept file in a state directory.
    public static func path(in directory: String, of source: ConfigurationSource) -> String {
        switch source.absolute {
        case .folders: directory + "/configuration"
        case .file(let path): directory + "/configuration-" + Checksum.text(of: path.utf8)
        }
    }

    /// - Throws: All mistakes, if this version of Tacet rejects a configuration that an earlier version accepted and
    ///   kept.
    public func load() throws(ConfigurationError) -> LoadedConfiguration { try ConfigurationAttempt(texts).get() }

    /// Returns true if both come from the same source and have the same texts. Their `time` is ignored.
    public func hasSameText(as other: KeptConfiguration) -> Bool { source == other.source && texts == other.texts }

    // MARK: The file

    /// The reason why a kept configuration cannot be used.
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

    /// The maximum size of the file in bytes, which is more than any configuration needs.
    private static let sizeLimit = 16 << 20

    /// - Returns: The configuration, or nil if none is kept there.
    public static func read(
        from directory: String, of source: ConfigurationSource
    ) throws(Unusable) -> KeptConfiguration? {
        let path = path(in: directory, of: source)
        let bytes: [UInt8]
        do throws(FileError) {
            // Without O_NONBLOCK, a FIFO in its place would wait for a writer.
            bytes = try OpenFile.open(path, O_RDONLY | O_NONBLOCK).readAll(limit: sizeLimit)
        } catch {
            if error.code == ENOENT { return nil }
            throw .file(error)
        }
        guard let kept = KeptConfiguration(bytes: bytes) else { throw .damaged(path: path) }
        return kept
    }

    /// Replaces the configuration that is kept there from the same source.
    public func write(to directory: String) throws(FileError) {
        try OpenFile.replace(KeptConfiguration.path(in: directory, of: source), with: bytes)
    }
}
