/// Stands in for the class of `Playback`, which needs decoders: no track here has content of its own.
final class FileContent: Sendable, Hashable {
    static func == (a: FileContent, b: FileContent) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
