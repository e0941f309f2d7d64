import AudioSession
import Playback

/// Handles the player's events.
extension Supervisor {
    mutating func follow(_ event: PlaybackEvent) {
        switch event {
        case .trackAdvanced(let track): wait(.event(.trackBegan(track)))
        case .playbackEnded where session.choice != nil: session.choice.map { wait(.event(ending(of: $0))) }
        case .playbackEnded where session.policy.repeats == .none: wait(.event(.playbackEnded))
        // A list that repeats ends only if none of its tracks can be played. When one can be played again, the music
        // continues from its current position.
        case .playbackEnded:
            agenda.add(.save(urgently: false))
            wait(.event(.tracksAvailable(0)))
        case .trackSkipped(let track, let reason):
            let path = tracks[track].path
            wait(.note(.trackSkipped(path: path, reason: "\(reason)", isPlayed: reason.reason == .gap)))
        // The fade-out has ended. Its position has not changed since it began, but it is saved once more because the
        // power may have failed during the earlier save.
        case .faded: agenda.add(.save(urgently: false))
        case .loaded(let track): conclude(found: track)
        case .nothingToLoad: conclude(found: nil)
        case .deviceLost: wait(.note(.playback(event)), .event(.mediaServicesLost))
        case .deviceReset: wait(.event(.mediaServicesReset))
        case .routeLost: wait(.note(.playback(event)), .event(.routeLost))
        case .routeBack(let route):
            wait(.note(.playback(event)), .event(.routeBack))
            // This is only another fallback, so the preferred device may still return.
            if route.index > 0 { wait(.event(.routeFound)) }
        case .routeFound: wait(.note(.playback(event)), .event(.routeFound))
        case .configurationChanged: wait(.event(.configurationChanged))
        case .soundReadable, .soundUnreadable, .soundBroken, .soundEnded, .soundCut:
            if let cause = sounds.follow(event, session.policy.sounds) { wait(cause) }
        case .soundHeard, .deviceOpened, .deviceClosed, .underrun, .storageStarved, .storageRecovered, .storageLost,
            .storageReturned, .effect, .notRealTime, .routeUnsteady, .rewindMeasured, .rewoundTooLate,
            .audibilityChanged:
            wait(.note(.playback(event)))
        }
    }

    /// Returns the event at the end of a choice's last track. A choice that repeats ends only if none of its tracks can be
    /// played.
    private func ending(of choice: Choice) -> Event {
        switch choice.request.then {
        case .continue: .choiceEnded
        case .stop: .playbackEnded
        case .repeat: .choiceLost
        }
    }

    /// Records whether the device can be heard. It is reported again after each opening.
    mutating func noteAudibility(_ event: PlaybackEvent) {
        switch event {
        case .audibilityChanged(let audibility): device.watch.note(audibility)
        case .deviceOpened, .deviceClosed, .deviceLost, .routeLost, .routeBack: device.watch.note(.audible)
        default: break
        }
    }

    private mutating func wait(_ causes: Cause...) { agenda.pending += causes }
}
