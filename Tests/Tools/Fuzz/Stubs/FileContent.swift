/// Replaces the class of the same name in `Playback`, which needs decoders. Tracks in the fuzzer do not have their own
/// content.
final class FileContent: Sendable, Hashable {
    static func == (a: FileContent, b: FileContent) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
