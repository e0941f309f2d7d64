import Glibc

/// Where a configuration is read from.
public enum ConfigurationSource: Hashable, Sendable {
    /// systemd's way: the first `tacet/tacet.conf` below these folders, highest priority first, and the drop-ins
    /// `tacet/tacet.conf.d/*.conf` of all of them.
    case folders([String])
    /// This file, and `FILE.d/*.conf`.
    case file(String)

    /// The folders of the system, as `systemd-analyze cat-config tacet/tacet.conf` looks through them.
    public static let system = ConfigurationSource.folders(["/etc", "/run", "/usr/local/lib", "/usr/lib"])

    /// The same, wherever a process that is told of it runs.
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
