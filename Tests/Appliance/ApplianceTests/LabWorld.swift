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

/// A world with a real sound server; its wires and its disk are the test's.
final class LabWorld: World {
    let server: PulseServer
    private(set) var reports: [Report] = []
    private(set) var player: EnginePlayer?
    private(set) var saved: SavedState?
    private let configuration: Configuration

    init(server: PulseServer, configuration: Configuration) {
        self.server = server
        self.configuration = configuration
    }

    deinit {
        _ = player?.stop(within: .seconds(1))
    }

    var now: Duration { .nanoseconds(Int(Int64(SystemClock.monotonic.now.wholeNanoseconds))) }
    var wallClock: Duration { now }
    func readLines() -> [SignalID: Bool] { ["phone-call": false, "alarm": false, "cover-closed": false] }
    func loadState() throws(StateError) -> SavedState? { nil }
    func setStateAside() throws(StateError) {}
    func save(_ state: SavedState, urgently: Bool) { saved = state }
    var shuffleSeed: UInt64 { 1 }
    func drive(_ outputs: [OutputID]) {}
    func muteMicrophone(_ isMuted: Bool) {}
    func openCapture() -> Bool { true }
    func record(_ directive: RecordingDirective) {}
    var recorded: Duration { .zero }
    func report(_ report: Report) { reports.append(report) }

    func makePlayer(tracks: TrackList, order: TrackOrder, sounds: [Sound]) -> Player {
        var settings = EngineSettings(configuration.playback)
        settings.address = server.address
        settings.handling.watchedFolders = [server.folder]
        let player = EnginePlayer(tracks: tracks, order: order, settings: settings) { [unowned self] in (now, .zero) }
        self.player = player
        return player
    }
}
