import AudioSession
import Configuration
import Playback
import Supervisor

/// The entries for the engine's reports about devices, tracks and underruns.
extension JournalFormatter {
    /// - Parameter isPlayed: True if only a part of the track is left out.
    mutating func skipped(_ path: String, _ reason: String, isPlayed: Bool) -> JournalEntry? {
        guard skipped.insert(path).inserted else { return nil }
        let verb = isPlayed ? "Skipped a part of" : "Skipped"
        return JournalEntry(.trackSkipped, "\(verb) \(path): \(reason.asSentenceEnd)", priority: .warning)
            .with(.track, path).with(.reason, reason)
    }

    mutating func entry(for event: PlaybackEvent, _ report: Report, in scene: StateSnapshot) -> JournalEntry? {
        switch event {
        case .effect(let effect): return heard(effect, in: scene)
        case .soundHeard(_, let effect): return heard(sound: effect, in: scene)
        case .deviceLost, .deviceOpened, .routeLost, .routeBack, .routeUnsteady:
            return device.entry(for: event, in: scene)
        case .underrun(let queue):
            return underrun(at: report.time, queue, isHeard: scene.isPlaying || scene.session.dueSound != nil)
        case .rewindMeasured(let margin):
            guard isNew(scene.device, .configurationChanged) else { return nil }
            return JournalEntry(
                .configurationChanged,
                "The sound device \(scene.device) rewinds to \(milliseconds(margin)) before what is being played.",
                priority: .info
            ).with(.device, scene.device)
        case .rewoundTooLate(let margin):
            return rewoundTooLate(at: report.time, margin, scene.device)
        case .storageStarved: return storageStarved(in: scene)
        case .storageRecovered:
            guard logged.isStorageSlow else { return nil }
            logged.isStorageSlow = false
            return JournalEntry(
                .storageRecovered, "Enough of the music has been read: \(sequel(scene)).", priority: .notice
            ).with(.outcome, sequel(scene)).at(scene)
        case .storageLost(let loss):
            logged.isStorageLost = true
            return JournalEntry(
                .storageLost, "The music cannot be read: \(loss). It stops when what was read ahead has been played.",
                priority: .warning
            ).with(.track, loss.path).with(.reason, "\(loss)").with(.outcome, "stops when the read-ahead is used up")
        case .storageReturned:
            logged.isStorageLost = false
            return JournalEntry(.storageReturned, "The music can be read again.", priority: .notice)
        case .notRealTime(let reason):
            return JournalEntry(.notRealTime, "There may be gaps in the sound because \(reason).", priority: .warning)
                .with(.reason, reason)
        case .deviceClosed, .deviceReset, .configurationChanged, .trackSkipped,
            .trackAdvanced, .playbackEnded, .faded, .loaded, .nothingToLoad, .soundReadable, .soundUnreadable,
            .soundBroken, .soundEnded, .soundCut, .routeFound, .audibilityChanged:
            return nil
        }
    }

    /// Returns nil if the storage is lost, and during a search for a track that can be played. Both are logged
    /// separately.
    private mutating func storageStarved(in scene: StateSnapshot) -> JournalEntry? {
        guard !logged.isStorageLost, !scene.isSearching else { return nil }
        logged.isStorageSlow = true
        return JournalEntry(
            .storageSlow,
            "The music stops because its storage does not keep up. It continues once enough has been read.",
            priority: .warning
        ).with(.outcome, "continues once enough has been read").at(scene, plays: false)
    }

    /// Returns an entry at most once an hour, with the number of underruns since the last one.
    private mutating func underrun(at now: Duration, _ queue: Duration, isHeard: Bool) -> JournalEntry? {
        // In silence, a gap is inaudible. A gap that a sleep has caused is unrelated to the queue.
        guard isHeard, wokeAt.map({ now - $0 > .seconds(1) }) ?? true else { return nil }
        guard let count = countHourly("underrun", at: now) else { return nil }
        let milliseconds = Int(queue / .milliseconds(1))
        return JournalEntry(
            .underrun,
            "The sound device ran out of samples (\(count) since the last such entry), which caused a gap. "
                + "\(milliseconds) ms are now queued.", priority: .warning)
    }

    /// Returns an entry at most once an hour, with the number of such rewinds since the last one.
    private mutating func rewoundTooLate(at now: Duration, _ margin: Duration, _ device: String) -> JournalEntry? {
        guard let count = countHourly("late rewind", at: now) else { return nil }
        return JournalEntry(
            .underrun,
            "The sound device had begun to play what was to be replaced (\(count) since the last such entry), which "
                + "caused a short gap or repetition. It now rewinds to \(milliseconds(margin)) before what is being "
                + "played.",
            priority: .warning
        ).with(.device, device)
    }
}
