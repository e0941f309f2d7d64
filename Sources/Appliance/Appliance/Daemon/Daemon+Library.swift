import Playback
import Systemd

/// A library that is not available yet: it can be on a disk that appears late.
extension Daemon {
    /// The first and the longest pause between two searches for a library that can be played.
    static let firstLibraryPause = Duration.seconds(10)
    private static let longestLibraryPause = Duration.seconds(60)

    /// Searches again, later.
    func scheduleLibrary() {
        guard configuration.playback.library != nil else { return }
        libraryTimer?.deadline = EventClock.monotonic.now + libraryPause
        libraryPause = min(libraryPause * 2, Self.longestLibraryPause)
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

    /// Continues with the library as soon as it is available.
    func expect(_ loader: LibraryLoader) throws(SystemdError) {
        installation?.isLibraryPending = true
        libraryQuery = try LibraryQuery(loader, in: loop) { [unowned self] outcome in
            libraryQuery = nil
            installation?.isLibraryPending = false
            do { try take(outcome ?? .unanswered) } catch { fail(error) }
        }
    }

    /// Stops waiting for the library.
    func forgetLibrary() {
        libraryQuery = nil
        installation?.isLibraryPending = false
        libraryTimer?.deadline = nil
        libraryPause = Self.firstLibraryPause
    }

    /// Reports what of the library is missing, once until it changes.
    func reportMissing(of library: LibraryLoader.Outcome) {
        guard case .loaded(let loaded) = library else { return }
        reportUnplayableFiles(of: loaded)
        let words = loaded.unreadableWords
        guard words != health[.folders] else { return }
        health.set(.folders, words)
        if let installation, !installation.isEnding { installation.set(.folders, words) }
        if !loaded.unreadable.isEmpty {
            JournalWriter.write(journalist.foldersUnreadable(loaded.unreadable))
        }
    }

    /// That is not a trouble: a film beside the music does not make a board unhealthy.
    private func reportUnplayableFiles(of library: Library) {
        guard library.unplayable != unplayable else { return }
        unplayable = library.unplayable
        installation?.unplayable = unplayable
        if !unplayable.isEmpty { JournalWriter.write(journalist.filesUnplayable(unplayable)) }
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
        guard loaded.tracks == installation.tracks else {
            forgetLibrary()
            return try reinstall(library) {}
        }
        guard installation.scene.session.track == nil else { return forgetLibrary() }
        installation.lookForTracksAgain()
        scheduleLibrary()
    }
}
