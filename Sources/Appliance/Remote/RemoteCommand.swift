import AudioSession
import Configuration

/// A command as words, as `tacet` and `Session1` write them: `play`, `seek 1min30s`, `volume -6dB`.
struct RemoteCommand: Hashable, Sendable {
    let command: Command

    static let advice =
        "write play, pause, playPause, stop, next, previous, seek with a position (1min30s), or volume with a level (-6dB, mute)"

    /// - Returns: nil where it is none.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        let found: Command?
        switch (words.first, words.count) {
        case ("seek", 2): found = TimeSpan.parse(words[1]).map { .seek(to: $0) }
        case ("volume", 2): found = Level.parse(words[1]).map { .volume($0) }
        case (let name?, 1): found = Command.plain[name]
        default: found = nil
        }
        guard let found else { return nil }
        command = found
    }
}
