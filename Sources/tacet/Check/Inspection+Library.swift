import AudioSession
import Configuration
import Playback

extension Inspection {
    /// Whether there is something to play, and the service can read it.
    mutating func inspectLibrary() {
        guard let library = configuration.playback.library else {
            warn(
                loaded.warning(
                    about: "Library", in: "Playback", "no Library= is configured: there is nothing to play",
                    advice: "write Library= with a folder of music in [Playback]"))
            return
        }
        if let obstacle = obstacle(to: library) {
            if let words = words(obstacle) { warnLibrary("the service cannot read it: \(words.problem)", words.advice) }
            return
        }
        do throws(LibraryError) {
            let tracks = try Library.load(library).tracks
            if tracks.isEmpty {
                warnLibrary("there is no track in it", "copy music there, or name another folder or playlist")
            }
            inspect(tracks)
        } catch {
            warnLibrary(error.message, error.advice)
        }
    }

    /// Many files with one cause are one warning.
    private mutating func inspect(_ tracks: [Track]) {
        let blocked = tracks.compactMap { track in obstacle(to: track.path).map { (track.path, $0) } }
            .filter { if case .denied = $0.1 { true } else { false } }
        guard let (_, first) = blocked.first, let words = words(first) else { return }
        let count = blocked.count
        let more = count > 1 ? " (and \(count - 1) more of its \(tracks.count) tracks)" : ""
        warnLibrary("the service cannot play all of it: \(words.problem)\(more)", words.advice)
    }

    private mutating func warnLibrary(_ problem: String, _ advice: String) {
        let path = configuration.playback.library ?? ""
        warn(loaded.warning(about: "Library", in: "Playback", "Library=: \(path): \(problem)", advice: advice))
    }

    /// Whether a list that ends leaves the board silent.
    mutating func inspectOrder() {
        let session = configuration.session
        let canStart = configuration.buttons.contains { $0.command == .play || $0.command == .playPause }
        guard session.repeats == .none, !canStart else { return }
        let sequel =
            session.hasPlaybackInterface
            ? "until somebody plays over the bus or by ‘tacet play’: there is no button that does"
            : "for good: there is no button that plays, and PlaybackInterface=no"
        warn(
            loaded.warning(
                about: "Repeat", in: "Playback", "Repeat=none: after the last track the board is silent \(sequel)",
                advice: "write Repeat=playlist, or add a [Button] with Command=play"))
    }
}
