import Glibc

/// The place from which a configuration is read.
public enum ConfigurationSource: Hashable, Sendable {
    /// Folders, which are searched as systemd searches them. Tacet reads the first `tacet/tacet.conf` in these folders,
    /// which are listed with the highest priority first, and the drop-ins `tacet/tacet.conf.d/*.conf` in all of them.
    case folders([String])
    /// A file and its drop-ins `FILE.d/*.conf`.
    case file(String)

    /// The system's folders, as `systemd-analyze cat-config tacet/tacet.conf` searches them.
    public static let system = ConfigurationSource.folders(["/etc", "/run", "/usr/local/lib", "/usr/lib"])

    /// The same source with absolute paths, which are valid in any working directory.
    public var absolute: ConfigurationSource {
        switch self {
        case .folders(let folders): .folders(folders.map(ConfigurationSource.absolute))
        case .file(let path): .file(ConfigurationSource.absolute(path))
        }
    }

    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}

/// The content of one file of a configuration.
public struct ConfigurationText: Hashable, Sendable {
    /// The path with which the file was opened. Relative paths in the file start from its folder.
    public let path: String
    public let bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
