/// This version's number: the only place that has it.
public enum Release {
    /// Semantic versioning (semver.org) of the command line, the bus interface, the journal's fields and the
    /// configuration.
    public static let version = "0.9.0"
}
