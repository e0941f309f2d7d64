import ALSA
import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor

/// A board that is not there: wires, a sound device, a disk and a clock, as the scenario would have them.
final class VirtualWorld: World {
    var now = Duration.zero
    var device = VirtualDevice()
    /// Electrical levels; a line that is lost is not there.
    var levels: [SignalID: Bool]
    private(set) var player: VirtualPlayer?
    private var disk: VirtualDisk
    let recorder: Recorder?
    /// The gain as it was applied, if somebody wants to draw it.
    private(set) var gains: GainCurve?
    var onReport: (Report) -> Void = { _ in }
    var onWarning: (String) -> Void = { _ in }
    /// What went wrong where it could not be thrown.
    private(set) var failure: SimulationError?

    init(configuration: Configuration, disk: VirtualDisk, recorder: Recorder?, drawsGain: Bool) {
        self.disk = disk
        self.recorder = recorder
        gains = drawsGain ? GainCurve() : nil
        levels = Dictionary(
            uniqueKeysWithValues: configuration.session.signals.map {
                ($0.id, configuration.lines[$0.id]?.isActiveLow ?? false)
            })
    }

    func fail(_ error: some Error) { failure = failure ?? SimulationError("\(error)") }

    // MARK: The supervisor's world

    /// A rehearsal begins when the wall clock does.
    var wallClock: Duration { now }
    func readLines() -> [SignalID: Bool] { levels }
    /// The same input gives the same bytes.
    var shuffleSeed: UInt64 { 1 }
    func muteMicrophone(_ isMuted: Bool) {}
    func report(_ report: Report) { onReport(report) }

    func loadState() throws(StateError) -> SavedState? { try disk.load() }
    func setStateAside() throws(StateError) { try disk.setAside() }

    func save(_ state: SavedState, urgently: Bool) {
        do throws(StateError) { try disk.save(state) } catch { fail(error) }
    }

    func makePlayer(tracks: [Track], order: TrackOrder) -> Player {
        let player = VirtualPlayer(engine: OfflineEngine(tracks: tracks, order: order), world: self)
        self.player = player
        return player
    }

    /// The power goes: nothing is told, and nothing is kept but what is on the disk.
    func cutPower() {
        player?.tearDown()
        player = nil
        observe(gain: 0, at: now)
    }

    // MARK: The player's device

    func openOutput() throws(PCMError) -> any PCMOutput {
        guard let recorder else { return try ALSAOutput("null", format: device.format) }
        return try recorder.begin(device.format, at: now)
    }

    func closeOutput() {
        do throws(PCMError) { try recorder?.end(at: now) } catch { fail(error) }
        observe(gain: 0, at: now)
    }

    /// How many frames to play at once: few, if the gain is to be drawn.
    func chunk(rate: Int) -> Int { gains == nil ? 4096 : rate / 100 }

    func beginGain(_ gain: Float) { gains?.begin(gain, at: now) }
    func observe(gain: Float, at time: Duration) { gains?.append(gain, at: time) }
}
