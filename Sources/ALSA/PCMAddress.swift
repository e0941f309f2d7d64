/// Where a PCM is found.
public struct PCMAddress: Sendable, Hashable {
    /// ALSA's name, e.g. "default", "hw:0" or "pulse".
    public let name: String
    /// In the language of asound.conf, what the PCM of that name is; nil for one that the system's configuration knows.
    public let definition: String?

    public init(_ name: String, definedBy definition: String? = nil) {
        self.name = name
        self.definition = definition
    }
}
