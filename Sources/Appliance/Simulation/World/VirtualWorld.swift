import ALSA
import AudioSession
import Configuration
import Playback
import Recording
import ResumeStore
import Supervisor

/// A virtual board: lines, a sound device, a disk and a clock, controlled by the scenario.
final class VirtualWorld: World {
    var now = Duration.zero
    var device = VirtualDevice()
    private(set) var microphone: VirtualMicrophone
    /// Electrical levels; a lost line has no entry.
    var levels: [SignalID: Bool]
    private(set) var player: VirtualPlayer?
    private var disk: VirtualDisk
    let recorder: Recorder?
    /// The applied gain; nil unless it is going to be drawn.
    private(set) var gains: RecordedGain?
    // Settable, because the runner that handles them is created after its world.
    var onReport: (Report) -> Void = { _ in }
    var onWarning: (String) -> Void = { _ in }
    /// The first error from a call that cannot throw.
    private(set) var failure: SimulationError?

    /// - Parameter recordings: where to write what is recorded of the microphone; nil: nowhere.
    init(
        configuration: Configuration, disk: VirtualDisk, recorder: Recorder?, drawsGain: Bool,
        recordings: VirtualRecording? = nil
    ) {
        self.disk = disk
        self.recorder = recorder
        gains = drawsGain ? RecordedGain() : nil
        microphone = VirtualMicrophone(rate: configuration.recording?.rate ?? 48_000, file: recordings)
        levels = Dictionary(
            uniqueKeysWithValues: configuration.session.signals.map {
                ($0.id, configuration.lines[$0.id]?.isActiveLow ?? false)
            })
    }

    func fail(_ error: some Error) { failure = failure ?? SimulationError("\(error)") }

    // MARK: The supervisor's world

    /// A rehearsal starts at the wall clock's epoch.
    var wallClock: Duration { now }
    func readLines() -> [SignalID: Bool] { levels }
    /// Constant, so that the same input produces the same output.
    var shuffleSeed: UInt64 { 1 }
    func muteMicrophone(_ isMuted: Bool) {
        use { (microphone, now) throws(RecordingError) in try microphone.mute(isMuted, at: now) }
    }
    func openCapture() -> Bool { microphone.isThere }
    func record(_ directive: RecordingDirective) {
        use { (microphone, now) throws(RecordingError) in try microphone.record(directive, at: now) }
    }
    var recorded: Duration { microphone.recorded(at: now) }

    /// Calls the microphone at the present instant, and reports its failure.
    func use(_ body: (inout VirtualMicrophone, Duration) throws(RecordingError) -> Void) {
        do throws(RecordingError) { try body(&microphone, now) } catch { fail(error) }
    }
    /// The trace has the supervisor's outputs.
    func drive(_ outputs: [OutputID]) {}
    func report(_ report: Report) { onReport(report) }

    func loadState() throws(StateError) -> SavedState? { try disk.load() }
    func setStateAside() throws(StateError) { try disk.setAside() }

    func save(_ state: SavedState, urgently: Bool) {
        do throws(StateError) { try disk.save(state) } catch { fail(error) }
    }

    func makePlayer(tracks: TrackList, order: TrackOrder, sounds: [Sound]) -> Player {
        let player = VirtualPlayer(engine: OfflineEngine(tracks: tracks, order: order, sounds: sounds), world: self)
        self.player = player
        return player
    }

    /// Cuts the power: nobody is notified, and only the state on the disk remains.
    func cutPower() {
        player?.tearDown()
        player = nil
        use { (microphone, now) throws(RecordingError) in try microphone.cutPower(at: now) }
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

    /// How many frames to render at once: only 10 ms if the gain is going to be drawn.
    func chunk(rate: Int) -> Int { gains == nil ? 4096 : rate / 100 }

    func beginGain(_ gain: Float) { gains?.begin(gain, at: now) }
    func observe(gain: Float, at time: Duration) { gains?.append(gain, at: time) }
}
