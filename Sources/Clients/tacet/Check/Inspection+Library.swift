import AudioSession
import Configuration
import Glibc
import Playback

extension Inspection {
    /// Warns if there is nothing to play, or if the service cannot read it.
    mutating func inspectLibrary() {
        guard let library = configuration.playback.library else {
            warn(
                loaded.warning(
                    about: "Library", in: "Playback", "no Library= is configured, so there is nothing to play",
                    advice: "write Library= with a folder of music in [Playback]"))
            return
        }
        if let obstacle = obstacle(to: library) {
            if let finding = explain(obstacle) {
                warnLibrary("the service cannot read it: \(finding.problem)", finding.advice)
            }
            return
        }
        do throws(LibraryError) {
            let found = try Library.load(library)
            inspectContents(of: found)
            let hidden = inspectFolders(of: found, in: library)
            inspect(found.tracks, in: library, except: hidden)
        } catch {
            warnLibrary(error.message, error.advice)
        }
    }

    /// Warns about contents that cannot be played, as far as their names show.
    private mutating func inspectContents(of found: Library) {
        let other = "copy music into it, or set Library= to another folder or playlist"
        if !found.unplayable.isEmpty {
            warnLibrary("\(found.unplayable.counted) cannot be played", found.unplayable.advice)
        }
        if found.tracks.isEmpty {
            if found.unplayable.isEmpty { warnLibrary("it has no tracks", other) }
            return
        }
        let kinds = [
            (found.addresses, "is a network address", "are network addresses"),
            (found.drivePaths, "is a path of Windows", "are paths of Windows"),
            (found.missing, "does not exist", "do not exist"),
        ]
        let parts = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        guard let last = parts.last else { return }
        let absent = (parts.count > 1 ? parts.dropLast().joined(separator: ", ") + ", and " : "") + last
        let count = found.tracks.count
        let whole = "of its \(count) track\(count == 1 ? "" : "s"), \(absent)"
        if kinds.reduce(0, { $0 + $1.0 }) == count {
            warnLibrary("nothing in it can be played: \(whole)", other)
        } else {
            warnLibrary(
                whole, "remove them from the playlist or copy the files to this board")
        }
    }

    /// Warns about folders that the service's user cannot list. The daemon finds a track only if it can list every
    /// folder on the way to it.
    ///
    /// - Returns: the folders that the service's user cannot list.
    private mutating func inspectFolders(of found: Library, in library: String) -> Set<Track> {
        let onTheWay = found.tracks.flatMap { Self.folders(to: $0, in: library) }
        let blocked = denied(Set(onTheWay + found.unreadable.map(\.file)).sorted { $0.path < $1.path })
        if let first = blocked.first, let finding = explain(first.obstacle) {
            let more = blocked.count > 1 ? " (and \(blocked.count - 1) more of its folders)" : ""
            warnLibrary("the service cannot find all of it: \(finding.problem)\(more)", finding.advice)
        }
        let hidden = Set(blocked.map(\.file))
        inspectUnread(found.unreadable.filter { !hidden.contains($0.file) })
        return hidden
    }

    /// Warns about folders and playlists that this process could not read. If only this process's user lacks
    /// permission, the service may still be able to read them, so a note suggests running as root.
    private mutating func inspectUnread(_ errors: [LibraryError]) {
        var failed: [LibraryError] = []
        for error in errors {
            if account != nil, error.isLackOfPermission {
                _ = explain(.unknown(at: error.path))
            } else {
                failed.append(error)
            }
        }
        guard let first = failed.first else { return }
        let more = failed.count > 1 ? " (and \(failed.count - 1) more of its folders and files)" : ""
        warnLibrary(
            "music may be missing: cannot \(first.operation) \(first.path): \(first.message)\(more)", first.advice)
    }

    /// Warns about tracks that the service cannot read, in a single warning.
    ///
    /// - Parameter hidden: folders that already have a warning, which covers their tracks.
    private mutating func inspect(_ tracks: [Track], in library: String, except hidden: Set<Track>) {
        let listed = tracks.filter { hidden.isDisjoint(with: Self.folders(to: $0, in: library)) }
        let blocked = denied(listed)
        guard let first = blocked.first, let finding = explain(first.obstacle) else { return }
        let count = blocked.count
        let more = count > 1 ? " (and \(count - 1) more of its \(tracks.count) tracks)" : ""
        warnLibrary("the service cannot play all of it: \(finding.problem)\(more)", finding.advice)
    }

    /// Returns the files and folders that the service's user definitely cannot read.
    private func denied(_ files: [Track]) -> [(file: Track, obstacle: Access)] {
        files.compactMap { file -> (file: Track, obstacle: Access)? in
            guard let obstacle = obstacle(to: file), case .denied = obstacle else { return nil }
            return (file: file, obstacle: obstacle)
        }
    }

    /// Returns the folders between a library and a track. For `/srv/music` and `/srv/music/a/b/c.flac`, these are
    /// `/srv/music/a` and `/srv/music/a/b`. There are none for a playlist's tracks, which are found without listing a
    /// folder.
    private static func folders(to track: Track, in library: String) -> [Track] {
        let root = Array((library.hasSuffix("/") ? library : library + "/").utf8)
        let path = track.pathBytes
        guard path.starts(with: root) else { return [] }
        return path.indices.dropFirst(root.count).filter { path[$0] == UInt8(ascii: "/") }
            .map { Track(bytes: Array(path[..<$0])) }
    }

    private mutating func warnLibrary(_ problem: String, _ advice: String) {
        let path = configuration.playback.library ?? ""
        warn(loaded.warning(about: "Library", in: "Playback", "Library=: \(path): \(problem)", advice: advice))
    }

    /// Warns if the end of the playlist leaves the board silent.
    mutating func inspectOrder() {
        let session = configuration.session
        let canStart = configuration.buttons.flatMap(\.commands)
            .contains { [.command(.play), .command(.playPause)].contains($0) }
        guard session.repeats == .none, !canStart else { return }
        let duration =
            session.hasPlaybackInterface
            ? "until someone starts it over the bus or with ‘tacet play’, because no button does"
            : "for good, because no button starts it and PlaybackInterface=no is set"
        warn(
            loaded.warning(
                about: "Repeat", in: "Playback", "Repeat=none: after the last track the board is silent \(duration)",
                advice: "write Repeat=playlist or add a [Button] with Command=play"))
    }
}

extension LibraryError {
    /// True if the user of this process may not read the file or folder.
    fileprivate var isLackOfPermission: Bool {
        let mode = kind == .folder ? R_OK | X_OK : R_OK
        return reason == .notReadable && file.withPath { access($0, mode) != 0 && errno == EACCES }
    }
}
