import ALSA
import Playback

/// The sound cards that other programs request or release.
extension Installation {
    /// The indices of the devices that other programs use.
    var withheldDevices: Set<Int> { reservations?.withheld(of: configuration.playback.devices) ?? [] }

    /// Reserves or releases cards after the player has reported something about its devices.
    func reserveCards(after event: PlaybackEvent) {
        switch event {
        case .deviceOpened:
            formatter.device.unreserved().map(log)
            reservations?.use(output.uses(of: configuration.playback.devices))
        case .deviceClosed, .deviceLost: reservations?.use(output.uses(of: configuration.playback.devices))
        default: break
        }
    }

    /// Releases the cards that other programs have requested as soon as their devices are closed.
    func releaseCards() {
        reservations?.noteUse { [unowned self] in world.player?.isUsing($0) ?? false }
    }

    func take(_ news: DeviceReservations.News) {
        switch news {
        case .changed:
            world.player?.withhold(withheldDevices)
            explainLoss()
        case .retry: world.player?.retryDevice()
        }
        if isAwake { settle() } else { releaseCards() }
    }

    /// Returns the event with the program that has reserved a device, if that is the reason why it is not available.
    func explained(_ event: PlaybackEvent) -> PlaybackEvent {
        guard let reservations else { return event }
        func explained(_ route: OutputRoute) -> OutputRoute {
            OutputRoute(index: route.index, device: route.device, reason: route.reason.map(reservations.explained))
        }
        return switch event {
        case .deviceLost(let error): .deviceLost(reservations.explained(error))
        case .routeLost(let route): .routeLost(explained(route))
        case .routeFound(let route): .routeFound(explained(route))
        default: event
        }
    }

    /// Logs and shows the program that does not release the lost device, once it is known.
    private func explainLoss() {
        guard let reservations, let loss = output.loss else { return }
        let error = reservations.explained(loss)
        guard error != loss else { return }
        output.note(.deviceLost(error))
        formatter.device.reserved(error).map(log)
        set(.device, "\(error)")
    }
}
