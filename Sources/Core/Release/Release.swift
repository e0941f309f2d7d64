/// The version of Tacet. This is the only place that defines its number.
public enum Release {
    /// The version follows semantic versioning (semver.org) for the command line, the bus interface, the fields of the
    /// journal and the configuration.
    public static let version = "0.9.0"
}
