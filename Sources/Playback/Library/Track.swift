/// One audio file of a library. Nothing is known of it but where it is until a `Decoder` opens it.
public struct Track: Sendable, Hashable {
    /// Path of the file, absolute or relative to the working directory.
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// Last component of the path.
    public var name: String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
