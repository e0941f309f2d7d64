import Configuration
import Systemd
import Threads

/// SIGHUP: the new configuration is checked first; if it has mistakes, nothing changes.
extension Daemon {
    /// How long the new configuration's library can take to answer.
    private static let patience = Duration.seconds(10)

    func reload() {
        guard !isStopping else { return }
        // One reload at a time, and none during sleep; a request meanwhile is carried out afterwards.
        guard candidate == nil, installation?.isEnding == false, !isAsleep else {
            isReloadDue = true
            return
        }
        notices.send(.reloading)
        do throws(ConfigurationError) {
            try check(Configuration.load(source, checksLibrary: false))
        } catch {
            degrade(.mistakes(error))
            refuse("it has mistakes:\n\(error)")
        }
    }

    func reloadIfDue() {
        guard isReloadDue else { return }
        isReloadDue = false
        reload()
    }

    private func check(_ loaded: LoadedConfiguration) {
        candidate = loaded
        let configuration = loaded.configuration
        forgetLibrary()
        // What plays goes on unless something else can.
        let playing = installation.flatMap { $0.scene.session.track == nil ? nil : $0.tracks }
        do throws(SystemdError) {
            candidateQuery = try LibraryQuery(
                loaders.load(configuration.playback.library, replacing: playing), patience: Self.patience, in: loop
            ) { [unowned self] outcome in
                candidateQuery = nil
                do { try take(configuration, outcome ?? .unanswered) } catch { fail(error) }
            }
        } catch { fail(error) }
    }

    private func take(_ new: Configuration, _ library: LibraryLoader.Outcome) throws {
        guard let installation, !isStopping else { return }
        guard !isAsleep else {
            // The sleep was announced while the library was read.
            candidate = nil
            isReloadDue = true
            return notices.send(.ready)
        }
        if case .nothing(let reason) = library, !installation.tracks.isEmpty {
            let words = "there would be nothing to play: \(reason)"
            degrade(.unusable(words))
            return refuse(words)
        }
        configuration = new
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
        candidate = nil
        if installation?.scene.session.track == nil { scheduleLibrary() }
        JournalWriter.write(
            JournalEntry(
                .reloadRefused, "Reload rejected; the previous configuration stays active: \(reason)",
                priority: .error
            ).with(.outcome, "the previous configuration stays active"))
        notices.send(.ready)
        reloadIfDue()
    }

    private func hasReloaded() {
        if let candidate { prove(candidate) }
        candidate = nil
        degrade(nil)
        JournalWriter.write(
            JournalEntry(.reloaded, "The new configuration is active.", priority: .notice)
                .with(.outcome, "the new configuration is active"))
        notices.send(.ready)
        // What the former configuration has left behind.
        Heap.trim()
    }
}
