import ALSA
import AudioSession
import Playback

/// Where the sound goes: the device in use, as the player reports it, and the jack of the output. Pure.
struct SoundOutput {
    /// The device in use, if it is not the preferred one.
    private(set) var route: OutputRoute?
    /// How close to what is being heard the device's queued frames can be replaced; nil if that has not been measured, or
    /// it cannot replace any.
    private(set) var rewindMargin: Duration?
    /// The program that holds the lost device.
    private(set) var holder: DeviceHolder?
    /// Nil if no jack is watched.
    var jack: OutputJack?
    /// Whether a device has been opened since the session's idea of the route was last compared with it.
    private var isRouteNew = false

    /// Whether the plug has been pulled out of the jack.
    var isUnplugged: Bool { jack?.isUnplugged ?? false }

    mutating func note(_ event: PlaybackEvent) {
        switch event {
        case .deviceLost(let error): holder = error.holder
        case .deviceOpened:
            holder = nil
            isRouteNew = true
            rewindMargin = nil
        case .routeLost(let route), .routeBack(let route), .routeFound(let route):
            self.route = route.index > 0 ? route : nil
        case .rewindMeasured(let margin), .rewoundTooLate(let margin): rewindMargin = margin
        default: break
        }
    }

    /// What a change of the jack means to the session. While another card plays, nothing: the plug matters again when this
    /// one does.
    func event(for change: OutputJack.Change) -> Event? {
        guard route == nil else { return nil }
        return switch change {
        case .unplugged: .routeLost
        case .plugged: .routeBack
        case .empty: .routeFound
        case .chatters, .settled: nil
        }
    }

    /// What the session cannot know: the plug was pulled while another card played, or something changed during a reload.
    /// - Parameter isOnFallback: the session's idea of the route.
    mutating func takeCorrection(isOnFallback: Bool) -> Event? {
        guard isRouteNew else { return nil }
        isRouteNew = false
        let isAway = route != nil || isUnplugged
        return isAway == isOnFallback ? nil : isAway ? .routeLost : .routeBack
    }
}
