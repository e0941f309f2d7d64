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
