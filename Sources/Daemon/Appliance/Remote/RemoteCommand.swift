import AudioSession
import Configuration
import Time

/// A command as text in the form that `tacet` and `Session1` use, such as `play`, `seek 1min30s`, `volume -6dB` or
/// `announce gong`.
struct RemoteCommand: Hashable, Sendable {
    let command: Command

    static let advice =
        "write play, pause, playPause, stop, next, previous, hush, record, stopRecording, seek with a position (1min30s), volume with a level "
        + "(-6dB, mute), or announce with a sound"

    /// - Returns: nil if the text is not a command.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        // A time span may contain spaces, because systemd writes it as 1min 30s.
        let value = words.dropFirst().joined(separator: " ")
        let found: Command?
        switch words.first {
        case "seek": found = TimeSpan.parsePosition(value).map { .seek(to: $0) }
        case "volume": found = Level.parse(value).map { .volume($0) }
        case "announce":
            found = words.count == 2 && SoundID.canBeName(value) ? .announce(Announcement(SoundID(value))) : nil
        case let name?: found = value.isEmpty ? Command(plain: name) : nil
        case nil: found = nil
        }
        guard let found else { return nil }
        command = found
    }
}
