import AudioSession
import Configuration
import Playback
import Supervisor
import Time

/// What the engine reports: devices, tracks, underruns.
extension Journalist {
    /// - Parameter isPlayed: whether only a part of it is left out.
    mutating func skipped(_ path: String, _ reason: String, isPlayed: Bool) -> JournalEntry? {
        guard skipped.insert(path).inserted else { return nil }
        let verb = isPlayed ? "Skipped a part of" : "Skipped"
        return JournalEntry(.trackSkipped, "\(verb) \(path): \(reason)", priority: .warning).with(.track, path)
            .with(.reason, reason)
    }

    mutating func entry(for event: PlaybackEvent, _ report: Report, in scene: Scene) -> JournalEntry? {
        switch event {
        case .effect(let effect): return heard(effect, in: scene)
        case .soundHeard(_, let effect): return heard(sound: effect, in: scene)
        case .deviceLost(let error):
            loss = error
            return nil
        case .deviceOpened(let configuration):
            let reason = scene.route.flatMap(\.reason).map { ", because \($0)" } ?? ""
            let words = "\(scene.device) plays \(configuration)\(reason)"
            guard words != loggedDevice else { return nil }
            loggedDevice = words
            return JournalEntry(.configurationChanged, "The sound device \(words).").with(.device, scene.device)
        case .routeLost(let route), .routeBack(let route):
            newRoute = route
            guard unsteady.remove(route.device) != nil else { return nil }
            return JournalEntry(.faultCleared, "The sound device \(route.device) has stayed long enough.")
                .with(.device, route.device).with(.fault, "unsteady")
        case .routeUnsteady(let device, let settle):
            unsteady.insert(device)
            let outcome = "it must be available for \(TimeSpan.format(settle)) before it is used again"
            return JournalEntry(
                .fault, "The sound device \(device) keeps disappearing: \(outcome).", priority: .warning
            )
            .with(.device, device).with(.fault, "unsteady").with(.outcome, outcome)
        case .underrun(let queue):
            return underrun(at: report.time, queue, isHeard: scene.isPlaying || scene.session.dueSound != nil)
        case .rewindMeasured(let margin):
            guard measured.insert(scene.device).inserted else { return nil }
            return JournalEntry(
                .configurationChanged,
                "The sound device \(scene.device) rewinds to \(milliseconds(margin)) before what is heard.",
                priority: .info
            ).with(.device, scene.device)
        case .rewoundTooLate(let margin):
            return rewoundTooLate(at: report.time, margin, scene.device)
        case .storageLost(let loss):
            return JournalEntry(
                .storageLost, "The music cannot be read: \(loss). It stops when the read-ahead is used up.",
                priority: .warning
            ).with(.track, loss.path).with(.reason, "\(loss)").with(.outcome, "stops when the read-ahead is used up")
        case .storageReturned: return JournalEntry(.storageReturned, "The music can be read again.", priority: .notice)
        case .notRealTime(let reason):
            return JournalEntry(.notRealTime, "Playback may stutter: \(reason).", priority: .warning).with(
                .reason, reason)
        case .deviceClosed, .deviceReset, .configurationChanged, .storageStarved, .storageRecovered, .trackSkipped,
            .trackAdvanced, .programmeEnded, .faded, .loaded, .nothingToLoad, .soundReadable, .soundUnreadable,
            .soundBroken, .soundEnded, .soundCut, .routeFound:
            return nil
        }
    }

    /// At most once an hour, with the number of underruns since.
    private mutating func underrun(at now: Duration, _ queue: Duration, isHeard: Bool) -> JournalEntry? {
        // In silence no gap is heard. One that a sleep has caused says nothing about the queue.
        guard isHeard, wokeAt.map({ now - $0 > .seconds(1) }) ?? true else { return nil }
        underruns += 1
        if let underrunsLoggedAt, now - underrunsLoggedAt < .seconds(3600) { return nil }
        underrunsLoggedAt = now
        let milliseconds = Int(queue / .milliseconds(1))
        defer { underruns = 0 }
        return JournalEntry(
            .underrun,
            "The sound device ran dry (\(underruns) since the last such entry): a gap was heard. "
                + "\(milliseconds) ms are now queued.", priority: .warning)
    }

    /// At most once an hour, with the number of such rewinds since.
    private mutating func rewoundTooLate(at now: Duration, _ margin: Duration, _ device: String) -> JournalEntry? {
        lateRewinds += 1
        if let lateRewindsLoggedAt, now - lateRewindsLoggedAt < .seconds(3600) { return nil }
        lateRewindsLoggedAt = now
        defer { lateRewinds = 0 }
        return JournalEntry(
            .underrun,
            "The sound device had begun to play what was to be replaced (\(lateRewinds) since the last such entry): a short "
                + "gap or repetition was heard. It now rewinds to \(milliseconds(margin)) before what is heard.",
            priority: .warning
        ).with(.device, device)
    }

    var lossWords: String {
        if let loss, let holder = loss.holder {
            return "The sound device \(loss.device) is held by \(holder): \(loss.advice)"
        }
        return "The sound device is not available: \(loss?.description ?? "it cannot be opened")"
    }

    /// Without a new device, only the plug was pulled or inserted.
    mutating func words(_ reason: RouteChangeReason, in scene: Scene) -> String {
        defer { newRoute = nil }
        switch (reason, newRoute, scene.configuration.playback.jack) {
        case (.oldDeviceUnavailable, let route?, _):
            let cause = route.reason.map { " (\($0))" } ?? ""
            return "The sound device in use has disappeared, and \(route.device) replaces it\(cause)"
        case (.newDeviceAvailable, let route?, _):
            return "The sound device \(route.device) has returned, and is used again"
        case (.oldDeviceUnavailable, nil, let jack?): return "The plug was pulled out of the \(jack)"
        case (.newDeviceAvailable, nil, let jack?): return "The plug is in the \(jack) again"
        case (.oldDeviceUnavailable, nil, nil): return "The output in use was unplugged, and another took over"
        case (.newDeviceAvailable, nil, nil): return "The preferred device is used again"
        }
    }
}
