import Glibc

/// Where a configuration is read from.
public enum ConfigurationSource: Hashable, Sendable {
    /// As systemd does it: the first `tacet/tacet.conf` in these folders, highest priority first, and the drop-ins
    /// `tacet/tacet.conf.d/*.conf` in all of them.
    case folders([String])
    /// This file, and `FILE.d/*.conf`.
    case file(String)

    /// The system's folders, as `systemd-analyze cat-config tacet/tacet.conf` searches them.
    public static let system = ConfigurationSource.folders(["/etc", "/run", "/usr/local/lib", "/usr/lib"])

    /// The same source with absolute paths, valid in any working directory.
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

/// One file of a configuration, as it was read.
public struct ConfigurationText: Hashable, Sendable {
    /// As it was opened; relative paths in the file start from its folder.
    public let path: String
    public let bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
