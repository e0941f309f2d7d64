import ALSA
import Appliance
import AudioSession
import Clocks
import Configuration
import Foundation
import Playback
import ResumeStore
import SoundLab
import Supervisor
import Time

/// A world with a real sound server, in which the test controls the wires and the disk.
final class LabWorld {
    let server: PulseServer
    private let address: PCMAddress
    private(set) var reports: [Report] = []
    private(set) var player: EnginePlayer?
    private(set) var supervisor: Supervisor
    private let configuration: Configuration
    /// The time of the last input.
    private var time = Duration.zero

    init(server: PulseServer, usesPlugIn: Bool, configuration: Configuration, tracks: [Track]) {
        self.server = server
        address = usesPlugIn ? server.plugInAddress : server.address
        self.configuration = configuration
        supervisor = Supervisor(configuration: configuration, tracks: tracks)
    }

    deinit {
        _ = player?.stop(within: .seconds(1))
    }

    var now: Duration { SystemClock.monotonic.now }

    func boot() {
        let levels: [SignalID: Bool] = ["phone-call": false, "alarm": false, "cover-closed": false]
        handle(.boot(StartingFacts(state: .success(nil), levels: LineLevels(levels), shuffleSeed: 1)))
    }

    /// Passes an input to the supervisor and carries out its effects.
    func handle(_ input: Supervisor.Input) {
        take(input)
        while let effect = supervisor.next(playerState) { carryOut(effect) }
    }

    var playerState: PlayerState { player?.state ?? PlayerState() }

    private func take(_ input: Supervisor.Input) {
        time = now
        supervisor.take(input, at: Moment(time, wallClock: time))
    }

    private func carryOut(_ effect: Supervisor.Effect) {
        switch effect {
        case .openPlayer: openPlayer()
        case .player(let order): player?.carryOut(order)
        case .takeEvents: take(.events(player?.takeEvents() ?? []))
        case .report(let report): reports.append(report)
        case .save, .setStateAside, .muteMicrophone, .record, .drive, .renewList, .command, .findIdleTracks: break
        }
    }

    private func openPlayer() {
        var settings = EngineSettings(configuration.playback)
        settings.address = address
        settings.handling.watchedFolders = [server.folder]
        let player = EnginePlayer(tracks: supervisor.tracks, order: supervisor.trackOrder, settings: settings) {
            [unowned self] in (time, .zero)
        }
        self.player = player
        player.open()
    }
}
