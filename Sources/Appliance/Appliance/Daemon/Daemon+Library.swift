import Clocks
import Playback
import Supervisor
import Systemd

/// A library that is not available yet: it can be on a disk that appears late.
extension Daemon {
    /// Searches again, later.
    func scheduleLibrary() {
        guard configuration.playback.library != nil else { return }
        libraryTimer?.deadline = SystemClock.monotonic.now + libraryBackoff.next()
    }

    static func nothingToPlay(_ reason: String) -> String { "nothing to play: \(reason)" }

    /// - Parameter reason: why nothing can be played; nil if something can.
    func notePlayable(because reason: String?) {
        let words = reason.map(Self.nothingToPlay)
        health.set(.library, words)
        installation?.set(.library, words)
    }

    func lookForLibrary() {
        // A reload does its own search.
        guard libraryQuery == nil, candidate == nil, !isStopping else { return }
        do throws(SystemdError) { try expect(loaders.load(configuration.playback.library)) } catch { fail(error) }
    }

    /// Somebody has copied or removed files. The music is not interrupted for that: the library is read at the end of the
    /// track.
    func libraryHasChanged() {
        isLibraryStale = true
        guard let scene = installation?.scene, scene.session.directive == .silent else { return }
        lookForLibrary()
    }

    /// At the end of a track, if the library has changed; at the end of a round, because not every file system reports
    /// changes; and when another list no longer cuts a sound.
    func lookForNewFiles(after report: Report, in scene: Scene) {
        if isListStale, scene.session.dueSound == nil { return lookForLibrary() }
        guard case .event(.trackBegan(let next), nil) = report.cause, let count = installation?.tracks.count, count > 0,
            isLibraryStale || next % count == 0 && SystemClock.monotonic.now - libraryReadAt >= Self.pauseOfRounds
        else { return }
        lookForLibrary()
    }

    /// A round can be short.
    private static let pauseOfRounds = Duration.seconds(60)

    /// Continues with the library as soon as it is available.
    func expect(_ loader: LibraryLoader) throws(SystemdError) {
        installation?.isLibraryPending = true
        isLibraryStale = false
        libraryReadAt = SystemClock.monotonic.now
        libraryQuery = try LibraryQuery(loader, in: loop) { [unowned self] outcome in
            libraryQuery = nil
            installation?.isLibraryPending = false
            do { try take(outcome ?? .unanswered) } catch { return fail(error) }
            // While it was read.
            if isLibraryStale { libraryHasChanged() }
        }
    }

    /// Stops waiting for the library.
    func forgetLibrary() {
        libraryQuery = nil
        installation?.isLibraryPending = false
        libraryTimer?.deadline = nil
        libraryBackoff.restart()
    }

    /// Reports what of the library is missing, once until it changes.
    func reportMissing(of library: LibraryLoader.Outcome) {
        guard case .loaded(let loaded) = library else { return }
        libraryChanges?.follow(loaded)
        if loaded.unplayable != health.unplayable {
            health.unplayable = loaded.unplayable
            installation?.health.unplayable = loaded.unplayable
            if !loaded.unplayable.isEmpty { JournalWriter.write(journalist.filesUnplayable(loaded.unplayable)) }
        }
        let words = loaded.unreadableWords
        guard words != health[.folders] else { return }
        health.set(.folders, words)
        if let installation, !installation.isEnding { installation.set(.folders, words) }
        if !loaded.unreadable.isEmpty {
            JournalWriter.write(journalist.foldersUnreadable(loaded.unreadable))
        }
    }

    private func take(_ library: LibraryLoader.Outcome) throws {
        guard let installation, !installation.isEnding, candidate == nil else { return }
        guard !isAsleep else { return scheduleLibrary() }
        guard case .loaded(let loaded) = library else {
            // Tracks that were read earlier can continue, from memory or from a disk that is slow to list.
            if case .nothing(let reason) = library, installation.scene.session.track == nil {
                notePlayable(because: reason)
            }
            return scheduleLibrary()
        }
        reportMissing(of: library)
        guard loaded.tracks == installation.tracks, !isListStale else {
            forgetLibrary()
            // Another list needs another player, which would cut the alarm or announcement that is due.
            isListStale = installation.scene.session.dueSound != nil
            if !isListStale { try reinstall(library) {} }
            return
        }
        guard installation.scene.session.track == nil else { return forgetLibrary() }
        installation.lookForTracksAgain()
        scheduleLibrary()
    }
}
