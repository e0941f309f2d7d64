import Configuration
import Systemd
import Threads

/// Handles SIGHUP. The new configuration is checked first, and if it has mistakes, nothing changes.
extension Daemon {
    /// The longest time that the library of the new configuration may take to answer.
    private static let timeout = Duration.seconds(10)

    func reload() {
        guard !isStopping else { return }
        // Only one reload runs at a time, and none runs during sleep. Any other request is carried out afterwards.
        guard !reloading.isInProgress, installation?.isEnding == false, !isAsleep else { return reloading.postpone() }
        notices.send(.reloading)
        do throws(ConfigurationError) {
            try check(Configuration.load(source, checksLibrary: false))
        } catch {
            degrade(.mistakes(error))
            refuse("it has mistakes:\n\(error)")
        }
    }

    func reloadIfDue() {
        if reloading.takeDue() { reload() }
    }

    private func check(_ loaded: LoadedConfiguration) {
        let configuration = loaded.configuration
        // The current tracks continue unless other tracks can be played.
        let playing = installation.flatMap { $0.scene.session.track == nil ? nil : $0.tracks }
        do throws(SystemdError) {
            let query = try LibraryQuery(
                loader(of: configuration.playback.library, replacing: playing), timeout: Self.timeout, in: loop
            ) { [unowned self] outcome in
                do { try take(configuration, outcome) } catch { fail(error) }
            }
            reloading.begin(loaded, awaiting: query)
            forgetLibrary()
        } catch { fail(error) }
    }

    private func take(_ new: Configuration, _ library: LibraryLoader.Outcome) throws {
        guard let installation, !isStopping else { return }
        guard !isAsleep else {
            // The sleep was announced while the library was read.
            reloading.end()
            reloading.postpone()
            return notices.send(.ready)
        }
        if case .nothing(let reason) = library, !installation.tracks.isEmpty {
            let words = "there would be nothing to play: \(reason)"
            degrade(.unusable(words))
            return refuse(words)
        }
        use(new)
        if installation.canAdopt(new, library.tracks) {
            try installation.adopt(new)
            reportMissing(of: library)
            if installation.scene.session.track == nil {
                installation.lookForTracksAgain()
                scheduleLibrary()
            }
            hasReloaded()
            reloadIfDue()
        } else {
            try reinstall(library) { [unowned self] in hasReloaded() }
        }
    }

    private func refuse(_ reason: String) {
        reloading.end()
        if installation?.scene.session.track == nil { scheduleLibrary() }
        JournalWriter.write(
            JournalEntry(
                .reloadRefused, "The reload was rejected, and the previous configuration stays active: \(reason)",
                priority: .error
            ).with(.outcome, "the previous configuration stays active"))
        notices.send(.ready)
        reloadIfDue()
    }

    private func hasReloaded() {
        probation.begin(reloading.end())
        degrade(nil)
        JournalWriter.write(
            JournalEntry(.reloaded, "The new configuration is active.", priority: .notice)
                .with(.outcome, "the new configuration is active"))
        notices.send(.ready)
        // Releases the memory that the former configuration has left behind.
        Heap.trim()
    }
}
