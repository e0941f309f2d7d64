/// The files that a search for something to play has skipped.
struct SkippedFiles: Hashable {
    var count: Int
    /// The reason why the last of the files cannot be played.
    var reason: String

    /// A clause that describes the skipped files.
    var words: String {
        let files = count == 1 ? "the first file cannot" : "none of the first \(count) files can"
        return "\(files) be played, and the next ones are being tried (the last one: \(reason))"
    }
}
