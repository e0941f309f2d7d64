import ALSA
import AudioSession
import Playback
import Spelling
import Time

/// The journal's entries about the sound devices. The type is pure.
struct DeviceLog {
    /// The reason why the device was lost.
    private(set) var loss: PCMError?
    /// The device that has replaced another one, until the replacement is logged.
    private var newRoute: OutputRoute?
    /// The devices that keep disappearing.
    private var unsteady: Set<String> = []
    /// The lost device that another program does not release.
    private var reserved: String?
    /// The last format of a device that was logged.
    private var format: String?

    mutating func entry(for event: PlaybackEvent, in scene: StateSnapshot) -> JournalEntry? {
        switch event {
        case .deviceLost(let error):
            loss = error
            return nil
        case .deviceOpened(let configuration):
            let reason = scene.route.flatMap(\.reason).map { ", because \($0)" } ?? ""
            let words = "\(scene.device) plays \(configuration)\(reason)"
            guard words != format else { return nil }
            format = words
            return JournalEntry(.configurationChanged, "The sound device \(words).").with(.device, scene.device)
        case .routeLost(let route), .routeBack(let route):
            newRoute = route
            guard unsteady.remove(route.device) != nil else { return nil }
            return JournalEntry(.faultCleared, "The sound device \(route.device) has been available for long enough.")
                .with(.device, route.device).with(.fault, "unsteady")
        case .routeUnsteady(let device, let settle):
            unsteady.insert(device)
            let outcome = "it must be available for \(TimeSpan.format(settle)) before it is used again"
            return JournalEntry(
                .fault, "The sound device \(device) keeps disappearing, so \(outcome).", priority: .warning
            )
            .with(.device, device).with(.fault, "unsteady").with(.outcome, outcome)
        default: return nil
        }
    }

    /// Returns the entry about a lost device that another program has reserved, unless it has been logged.
    mutating func reserved(_ error: PCMError) -> JournalEntry? {
        loss = error
        guard reserved != error.device else { return nil }
        reserved = error.device
        return JournalEntry(
            .fault,
            "The sound device \(error.device) cannot be used because \(error.message). \(error.advice.sentenceCased).",
            priority: .warning
        )
        .with(.device, error.device).with(.fault, "reserved").with(.reason, error.message)
        .with(.outcome, error.advice)
    }

    /// Returns the entry about the end of this fault, because a device has been opened.
    mutating func unreserved() -> JournalEntry? {
        guard let device = reserved else { return nil }
        reserved = nil
        return JournalEntry(.faultCleared, "A sound device is available, although \(device) was reserved.")
            .with(.device, device).with(.fault, "reserved")
    }

    var lossWords: String {
        if let loss, let holder = loss.holder {
            return "The sound device \(loss.device) is held by \(holder), so \(loss.advice)"
        }
        return "The sound device is not available: \(loss?.description ?? "it cannot be opened")"
    }

    /// Returns the text about a change in the route. If there is no new device, only the plug was pulled or inserted.
    mutating func words(_ reason: RouteChangeReason, in scene: StateSnapshot) -> String {
        defer { newRoute = nil }
        switch (reason, newRoute, scene.configuration.playback.jack) {
        case (.oldDeviceUnavailable, let route?, _):
            let cause = route.reason.map { " (\($0))" } ?? ""
            return "The sound device in use has disappeared, so \(route.device) replaces it\(cause)"
        case (.newDeviceAvailable, let route?, _):
            return "The sound device \(route.device) has returned and is used again"
        case (.oldDeviceUnavailable, nil, let jack?): return "The plug was pulled out of the \(jack)"
        case (.newDeviceAvailable, nil, let jack?): return "The plug is in the \(jack) again"
        case (.oldDeviceUnavailable, nil, nil): return "The output in use was unplugged, so another one is used"
        case (.newDeviceAvailable, nil, nil): return "The preferred device is used again"
        }
    }
}
