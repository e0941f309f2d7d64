import ALSA
import AudioSession
import Configuration
import Playback
import Recording
import ResumeStore
import Supervisor

/// A virtual board, which consists of lines, a sound device, a disk and a clock that the scenario controls, and of the
/// supervisor that runs on the board.
final class VirtualWorld {
    /// The supervisor, which receives no inputs without power.
    private(set) var supervisor: Supervisor
    private(set) var hasPower = false
    private let configuration: Configuration
    private let tracks: [Track]
    private let inputs: [OfflineInput]
    var now = Duration.zero
    var device = VirtualDevice()
    private(set) var microphone: VirtualMicrophone
    var levels = LineLevels([:])
    var buttons: VirtualButtons
    var sources = VirtualSources()
    private(set) var player: VirtualPlayer?
    private var disk: VirtualDisk
    let recorder: Recorder?
    /// The gain that was applied, or nil if it is not going to be drawn.
    private(set) var gains: RecordedGain?
    /// The first error from a call that cannot throw.
    private(set) var failure: SimulationError?

    /// Creates a virtual board.
    /// - Parameters:
    ///   - recordings: the files for the recordings from the microphone, or nil to write nothing.
    ///   - inputFiles: the audio that arrives at inputs. At the others, silence arrives.
    init(
        configuration: Configuration, tracks: [Track], disk: VirtualDisk, recorder: Recorder?, drawsGain: Bool,
        recordings: VirtualRecording? = nil, inputFiles: [InputID: Track] = [:]
    ) {
        supervisor = Supervisor(configuration: configuration, tracks: tracks)
        self.configuration = configuration
        buttons = VirtualButtons(configuration.buttons)
        self.tracks = tracks
        inputs = configuration.inputs.map { OfflineInput(file: inputFiles[$0.id], latency: $0.latency) }
        self.disk = disk
        self.recorder = recorder
        gains = drawsGain ? RecordedGain() : nil
        microphone = VirtualMicrophone(rate: configuration.recording?.rate ?? 48_000, file: recordings)
        for signal in configuration.session.signals { levels.turn(Edge(signal.id, asserted: false), configuration) }
    }

    func fail(_ error: some Error) { failure = failure ?? SimulationError("\(error)") }

    // MARK: The supervisor

    func boot() {
        hasPower = true
        buttons.start(at: now)
        let state = Result { () throws(StateError) in try disk.load() }
        let chosen = (try? state.get())?.choice.flatMap { try? find($0.name) }
        supervisor = Supervisor(configuration: configuration, tracks: tracks, chosen: chosen ?? [])
        // The seed is constant, so that the same input produces the same output.
        var facts = StartingFacts(state: state, levels: levels, shuffleSeed: 1)
        sources.describe(in: &facts)
        facts.isDeviceAvailable = device.isThere
        facts.audibility = device.audibility
        facts.isCaptureAvailable = microphone.isThere
        take(.boot(facts))
    }

    /// The time at which something next happens without an input, or nil if nothing does.
    var deadline: Duration? {
        hasPower ? [supervisor.deadline, buttons.deadline].compactMap { $0 }.min() : nil
    }

    /// Passes an input to the supervisor. Afterwards, call `nextReport` until it returns nil.
    func take(_ input: Supervisor.Input) {
        guard hasPower else { return }
        // A rehearsal starts at the epoch of the wall clock.
        supervisor.take(input, at: Moment(now, wallClock: now))
    }

    /// Returns the input for a request to play tracks of the library, which are found on the disk.
    func choose(_ request: ChoiceRequest) -> Supervisor.Input {
        do throws(ChoiceError) { return .choose(request, tracks: try find(request.name)) } catch {
            return .refuse(request, .noSuchContent, problem: "\(error)")
        }
    }

    private func findIdleTracks(_ request: ChoiceRequest) -> Supervisor.Input {
        do throws(ChoiceError) { return .idle(request, tracks: try find(request.name)) } catch {
            return .idle(request, tracks: [], problem: "\(error)")
        }
    }

    private func find(_ name: String) throws(ChoiceError) -> [Track] {
        try Library.choose(name, in: configuration.playback.library ?? ".", tracks: tracks, within: .seconds(60))
    }

    /// Executes the effects of the supervisor up to the next report, which it returns, or nil if there is none.
    func nextReport() -> Report? {
        while let effect = supervisor.next(playerState) {
            switch effect {
            case .openPlayer: openPlayer()
            case .player(let order): player?.carryOut(order)
            case .command(let player, let command):
                if let outcome = sources.carryOut(command, player) { take(.playerOutcome(player, outcome)) }
            case .takeEvents: take(.events(player?.takeEvents() ?? []))
            case .muteMicrophone(let isMuted):
                use { (microphone, now) throws(RecordingError) in try microphone.mute(isMuted, at: now) }
            case .record(let directive):
                use { (microphone, now) throws(RecordingError) in try microphone.record(directive, at: now) }
            case .save(let state, _): do throws(StateError) { try disk.save(state) } catch { fail(error) }
            case .setStateAside(let reason):
                do throws(StateError) { try disk.setAside() } catch { take(.stateNotSetAside(error, because: reason)) }
            case .findIdleTracks(let request): take(findIdleTracks(request))
            // The trace contains the outputs of the supervisor, and the order of the list does not change in a
            // rehearsal.
            case .drive, .renewList: break
            case .report(let report): return report
            }
        }
        return nil
    }

    /// The state of the player.
    var playerState: PlayerState { player?.state ?? PlayerState() }

    private func openPlayer() {
        let engine = OfflineEngine(
            tracks: supervisor.tracks, order: supervisor.trackOrder, sounds: supervisor.soundFiles,
            inputs: inputs)
        player = VirtualPlayer(engine: engine, world: self)
        for (index, input) in configuration.inputs.enumerated() {
            player?.setArrival(at: index, sources.isArriving(input.id))
        }
        player?.open()
    }

    var recorded: Duration { microphone.recorded(at: now) }

    /// Calls the microphone at the current instant, and reports its failure.
    func use(_ body: (inout VirtualMicrophone, Duration) throws(RecordingError) -> Void) {
        do throws(RecordingError) { try body(&microphone, now) } catch {
            fail(error.advised(RecordingSettings.advice))
        }
    }

    /// Cuts the power. Nothing is notified, and only the state on the disk remains.
    func cutPower() {
        hasPower = false
        player?.close()
        player = nil
        use { (microphone, now) throws(RecordingError) in try microphone.cutPower(at: now) }
        observe(gain: 0, at: now)
    }

    /// Lets audio arrive at an input, or lets it cease. The supervisor does not receive an event.
    func setArrival(at input: InputID, _ arrives: Bool) {
        sources.set(input, arrives)
        guard let index = configuration.inputs.firstIndex(where: { $0.id == input }) else { return }
        player?.setArrival(at: index, arrives)
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

    /// Returns the number of frames to render at once, which is only 10 ms if the gain is going to be drawn.
    func chunk(rate: Int) -> Int { gains == nil ? 4096 : rate / 100 }

    func beginGain(_ gain: Float) { gains?.begin(gain, at: now) }
    func observe(gain: Float, at time: Duration) { gains?.append(gain, at: time) }
}

extension LineLevels {
    /// Turns the lines of a signal.
    mutating func turn(_ edge: Edge, _ configuration: Configuration) {
        let line = configuration.lines[edge.signal]
        let level = edge.isAsserted != line?.isActiveLow ?? false
        main[edge.signal] = level
        if line?.hasComplement ?? false { complement[edge.signal] = !level }
    }
}
