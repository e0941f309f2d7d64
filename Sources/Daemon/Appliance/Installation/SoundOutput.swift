import ALSA
import AudioSession
import Glibc
import Playback

/// The destination of the sound. It consists of the device in use, as the player reports it, and the jack of the
/// output. The type is pure.
struct SoundOutput {
    /// The device in use if it is not the preferred one.
    private(set) var route: OutputRoute?
    /// The shortest distance between the frame that is being played and a queued frame that can still be replaced, or
    /// nil if it has not been measured or if the device cannot replace frames.
    private(set) var rewindMargin: Duration?
    /// The use of the device, as far as the player has reported it.
    private(set) var state = State.closed
    /// The jack, or nil if none is watched.
    var jack: OutputJack?
    /// True if a device has been opened since the session's state of the route was last compared with it.
    private var isRouteNew = false

    enum State: Hashable {
        case closed, open
        /// The device is lost, with this error.
        case lost(PCMError)
    }

    /// The error with which the device was lost, or nil if it is not lost.
    var loss: PCMError? { if case .lost(let error) = state { error } else { nil } }

    /// The program that holds the lost device.
    var holder: DeviceHolder? { loss?.holder }

    /// Returns the use that the player makes of its devices, which are in the order of preference. A device that another
    /// program uses is blocked if it is to be used.
    func uses(of devices: [String]) -> [DeviceReservations.Device] {
        devices.enumerated().map { index, name in
            let use: DeviceReservation.Use =
                switch state {
                case .open where index == route?.index ?? 0: .open
                case .open: isBlocked(name, by: route?.reason) ? .blocked : .none
                case .lost(let error): isBlocked(name, by: error) ? .blocked : .none
                case .closed: .none
                }
            return DeviceReservations.Device(name: name, use: use)
        }
    }

    private func isBlocked(_ device: String, by error: PCMError?) -> Bool {
        error?.code == EBUSY && error?.device == device
    }

    /// True if the plug has been pulled out of the jack.
    var isUnplugged: Bool { jack?.isUnplugged ?? false }

    mutating func note(_ event: PlaybackEvent) {
        switch event {
        case .deviceLost(let error): state = .lost(error)
        case .deviceClosed: state = .closed
        case .deviceOpened:
            state = .open
            isRouteNew = true
            rewindMargin = nil
        case .routeLost(let route), .routeBack(let route), .routeFound(let route):
            self.route = route.index > 0 ? route : nil
        case .rewindMeasured(let margin), .rewoundTooLate(let margin): rewindMargin = margin
        default: break
        }
    }

    /// Returns the event for the session that a change in the jack causes, or nil while another card plays. The state
    /// of the plug is used again when this card plays.
    func event(for change: OutputJack.Change) -> Event? {
        guard route == nil else { return nil }
        return switch change {
        case .unplugged: .routeLost
        case .plugged: .routeBack
        case .empty: .routeFound
        case .chatters, .settled: nil
        }
    }

    /// Returns a correction for the session if the plug was pulled while another card played, or if something changed
    /// during a reload.
    /// - Parameter isOnFallback: The session's state of the route.
    mutating func takeCorrection(isOnFallback: Bool) -> Event? {
        guard isRouteNew else { return nil }
        isRouteNew = false
        let isAway = route != nil || isUnplugged
        return isAway == isOnFallback ? nil : isAway ? .routeLost : .routeBack
    }
}
