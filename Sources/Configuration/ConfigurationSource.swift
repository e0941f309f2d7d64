/// Where a configuration is read from.
public enum ConfigurationSource: Hashable, Sendable {
    /// systemd's way: the first `tacet/tacet.conf` below these folders, highest priority first, and the drop-ins
    /// `tacet/tacet.conf.d/*.conf` of all of them.
    case folders([String])
    /// This file, and `FILE.d/*.conf`.
    case file(String)

    /// The folders of the system, as `systemd-analyze cat-config tacet/tacet.conf` looks through them.
    public static let system = ConfigurationSource.folders(["/etc", "/run", "/usr/local/lib", "/usr/lib"])
}
