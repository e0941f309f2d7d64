import AudioSession
import Configuration
import Glibc
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
            let found = try Library.load(library)
            if found.tracks.isEmpty {
                warnLibrary("there is no track in it", "copy music there, or name another folder or playlist")
            }
            let hidden = inspectFolders(of: found, in: library)
            inspect(found.tracks, in: library, except: hidden)
        } catch {
            warnLibrary(error.message, error.advice)
        }
    }

    /// The daemon finds a track only if it can list every folder on the way to it.
    ///
    /// - Returns: the folders that the service's user cannot list.
    private mutating func inspectFolders(of found: Library, in library: String) -> Set<String> {
        let onTheWay = found.tracks.flatMap { Self.folders(to: $0, in: library) }
        let blocked = denied(Set(onTheWay + found.unreadableFolders.map(\.path)).sorted())
        if let first = blocked.first, let words = words(first.obstacle) {
            let more = blocked.count > 1 ? " (and \(blocked.count - 1) more of its folders)" : ""
            warnLibrary("the service cannot find all of it: \(words.problem)\(more)", words.advice)
        }
        let hidden = Set(blocked.map { $0.path })
        inspectUnread(found.unreadableFolders.filter { !hidden.contains($0.path) })
        return hidden
    }

    /// Folders that this process could not read. If only its own user lacks the permission, that is no problem of the
    /// service: a note says that root can judge it.
    private mutating func inspectUnread(_ folders: [LibraryError]) {
        var failed: [LibraryError] = []
        for folder in folders {
            if account != nil, access(folder.path, R_OK | X_OK) != 0, errno == EACCES {
                _ = words(.unknown(at: folder.path))
            } else {
                failed.append(folder)
            }
        }
        guard let first = failed.first else { return }
        let more = failed.count > 1 ? " (and \(failed.count - 1) more of its folders)" : ""
        warnLibrary(
            "music may be missing: cannot \(first.operation) \(first.path): \(first.message)\(more)", first.advice)
    }

    /// Many files with one cause are one warning.
    ///
    /// - Parameter hidden: folders with a warning of their own, which their tracks are part of.
    private mutating func inspect(_ tracks: [Track], in library: String, except hidden: Set<String>) {
        let listed = tracks.filter { hidden.isDisjoint(with: Self.folders(to: $0, in: library)) }
        let blocked = denied(listed.map(\.path))
        guard let first = blocked.first, let words = words(first.obstacle) else { return }
        let count = blocked.count
        let more = count > 1 ? " (and \(count - 1) more of its \(tracks.count) tracks)" : ""
        warnLibrary("the service cannot play all of it: \(words.problem)\(more)", words.advice)
    }

    /// Those that the service's user certainly cannot read.
    private func denied(_ paths: [String]) -> [(path: String, obstacle: Access)] {
        paths.compactMap { path -> (path: String, obstacle: Access)? in
            guard let obstacle = obstacle(to: path), case .denied = obstacle else { return nil }
            return (path: path, obstacle: obstacle)
        }
    }

    /// `/srv/music`, `/srv/music/a/b/c.flac`: `/srv/music/a` and `/srv/music/a/b`; none for a playlist's tracks, which
    /// are found without listing a folder.
    private static func folders(to track: Track, in library: String) -> [String] {
        let root = library.hasSuffix("/") ? library : library + "/"
        guard track.path.hasPrefix(root) else { return [] }
        let path = track.path.utf8
        return path.indices.dropFirst(root.utf8.count).filter { path[$0] == UInt8(ascii: "/") }
            .map { String(track.path[..<$0]) }
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
