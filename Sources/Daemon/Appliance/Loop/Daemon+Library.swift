import Clocks
import Playback
import Supervisor
import Systemd

/// The search for a library that is not available yet, because it may be on a disk that appears late.
extension Daemon {
    func take(_ news: LibrarySearch.News) {
        switch news {
        case .due: lookForLibrary()
        case .changed: libraryHasChanged()
        case .found(let outcome):
            installation?.isLibraryPending = false
            do { try take(outcome) } catch { return fail(error) }
            // The library may have changed while it was read.
            if librarySearch.isStale { libraryHasChanged() }
        }
    }

    /// Schedules another search.
    func scheduleLibrary() {
        if configuration.playback.library != nil { librarySearch.schedule() }
    }

    static func nothingToPlay(_ reason: String) -> String { "nothing to play: \(reason)" }

    /// - Parameter reason: The reason why nothing can be played, or nil if something can.
    func notePlayable(because reason: String?) { set(.library, reason.map(Self.nothingToPlay)) }

    func lookForLibrary() {
        // A reload performs its own search.
        guard !librarySearch.isReading, !reloading.isInProgress, !isStopping else { return }
        do throws(SystemdError) { try expect(loader(of: configuration.playback.library)) } catch { fail(error) }
    }

    /// Begins to read a library, and to find the saved choice in it if that has not been possible yet.
    /// - Parameter tracks: The tracks in use, if other tracks may replace them only if they can be played.
    func loader(of library: String?, replacing tracks: [Track]? = nil) -> LibraryLoader {
        librarySearch.loaders.load(library, replacing: tracks, choice: installation?.unresolvedChoice)
    }

    /// Searches for the library at once if no music is playing. Otherwise the music is not interrupted, and the library
    /// is read at the end of the track.
    private func libraryHasChanged() {
        if installation?.scene.session.directive == .silent { lookForLibrary() }
    }

    /// Searches at the end of a track if the library has changed, and at the end of a round because not every file
    /// system reports changes. Also searches when the list can be replaced without cutting off a sound.
    func lookForNewFiles(after report: Report, in scene: StateSnapshot) {
        if librarySearch.isListStale, scene.session.dueSound == nil { return lookForLibrary() }
        guard case .event(.trackBegan(let next), nil) = report.cause, let count = installation?.tracks.count, count > 0,
            librarySearch.isStale || next % count == 0 && librarySearch.isOld
        else { return }
        lookForLibrary()
    }

    /// Continues with the library as soon as it is available.
    func expect(_ loader: LibraryLoader) throws(SystemdError) {
        try librarySearch.expect(loader)
        installation?.isLibraryPending = true
    }

    /// Stops waiting for the library.
    func forgetLibrary() {
        librarySearch.stop()
        installation?.isLibraryPending = false
    }

    /// Reports the missing parts of the library once until they change.
    func reportMissing(of library: LibraryLoader.Outcome) {
        guard case .loaded(let loaded) = library else { return }
        librarySearch.follow(loaded)
        installation?.use(loaded.playlists)
        if loaded.unplayable != health.unplayable {
            health.unplayable = loaded.unplayable
            installation?.health.unplayable = loaded.unplayable
            if !loaded.unplayable.isEmpty { JournalWriter.write(formatter.filesUnplayable(loaded.unplayable)) }
        }
        let words = loaded.unreadableWords
        guard words != health[.folders] else { return }
        set(.folders, words)
        if !loaded.unreadable.isEmpty {
            JournalWriter.write(formatter.foldersUnreadable(loaded.unreadable))
        }
    }

    private func take(_ library: LibraryLoader.Outcome) throws {
        guard let installation, !installation.isEnding, !reloading.isInProgress else { return }
        guard !isAsleep else { return scheduleLibrary() }
        guard case .loaded(let loaded) = library else {
            // Tracks that were read earlier may continue, either from memory or from a disk that is slow to list.
            if case .nothing(let reason) = library, installation.scene.session.track == nil {
                notePlayable(because: reason)
            }
            return scheduleLibrary()
        }
        reportMissing(of: library)
        guard loaded.tracks == installation.tracks, !librarySearch.isListStale else {
            forgetLibrary()
            // Another list needs another player, which would cut off the current alarm or announcement.
            librarySearch.isListStale = installation.scene.session.dueSound != nil
            if !librarySearch.isListStale { try reinstall(library) {} }
            return
        }
        guard installation.scene.session.track == nil else { return forgetLibrary() }
        installation.lookForTracksAgain()
        scheduleLibrary()
    }
}
