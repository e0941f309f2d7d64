/// What this version of Tacet is called: said here, and nowhere else.
public enum Release {
    /// As semver.org has it: the command line, the bus, the journal's fields and the configuration are what it promises.
    public static let version = "0.9.0"
}
