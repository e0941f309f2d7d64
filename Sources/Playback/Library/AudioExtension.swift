/// Name endings of the files taken for tracks: the containers libsndfile reads that people keep music in.
enum AudioExtension {
    private static let known: Set<String> = [
        "wav", "wave", "w64", "rf64", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc", "caf", "au",
    ]

    static func matches(_ path: String) -> Bool {
        known.contains(pathExtension(path))
    }
}

/// What follows the last dot of the last component, in lower case; empty without one.
func pathExtension(_ path: String) -> String {
    let name = Track(path: path).name
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
}
