import ALSA
import AudioSession
import Clocks
import Configuration
import Recording
import Systemd

/// The recorder of the present configuration, in an event loop. For control's thread; nothing here waits.
///
/// It outlives a reload: if the settings stay, the recording continues in its file. There is no recorder, and so no thread
/// and no memory of one, before the first recording.
final class RecordingControl {
    /// How long a recorder of other settings can take to complete its file and to close its device.
    private static let farewell = Duration.seconds(10)

    private let loop: EventLoop
    private var settings: RecorderSettings?
    /// The recorder, and what calls when it has events.
    private var running: (recorder: MicrophoneRecorder, source: EventSource?)?
    /// Waits until the recorder of other settings has ended; nil while there is none. The next one needs its device.
    private var retirement: ConditionWait?
    private var directive = RecordingDirective.off
    private var isMuted = false
    private var isAsleep = false
    /// The order to pause, finish or sleep whose completion has not been reported yet.
    private var completing: Int?
    private var time = RecordedTime()
    private var disk = RecordingDisk()
    /// Why nothing is captured; nil while something is. It outlives a reload.
    private(set) var captureProblem: String?
    /// Events that nobody has taken yet, as there is no installation during a reload.
    private var untaken: [RecorderEvent] = []
    /// Called when there are events to take; never during another call.
    var onEvents: () -> Void = {}

    init(in loop: EventLoop) { self.loop = loop }

    // MARK: Orders

    /// Records as configured from now on. Other settings end the file; another one begins if recording is wanted.
    func use(_ configuration: Configuration) {
        let new = RecorderSettings(configuration)
        guard new != settings else { return }
        settings = new
        guard let recorder, retirement == nil else { return }
        completing = recorder.retire(.settings)
        captureProblem = nil
        do throws(SystemdError) {
            retirement = try ConditionWait(
                in: loop, until: { [unowned self] in hasRetired() }, before: SystemClock.monotonic.now + Self.farewell
            ) { [unowned self] in
                replace()
                onEvents()
            }
        } catch { replace() }
    }

    private func hasRetired() -> Bool {
        collect()
        return recorder?.hasEnded ?? true
    }

    /// The recorder of earlier settings has ended, or does not answer: another one takes its place.
    private func replace() {
        collect()
        time.endRecorder(after: recordedFrames)
        completing = nil
        disk = RecordingDisk()
        running = nil
        retirement = nil
        carryOut()
    }

    func record(_ directive: RecordingDirective) {
        guard directive != self.directive else { return }
        self.directive = directive
        carryOut()
    }

    private func carryOut() {
        // The next recorder begins with the directive that is valid then.
        guard retirement == nil else { return }
        switch directive {
        case .on:
            guard !isAsleep || recorder != nil else { return }
            start()
            recorder?.record()
        case .paused: completing = recorder?.pause() ?? completing
        case .off: completing = recorder?.finish(.stopped) ?? completing
        }
    }

    /// Records silence from the present frame on, or no longer.
    func mute(_ isMuted: Bool) {
        self.isMuted = isMuted
        if retirement == nil { recorder?.mute(isMuted) }
    }

    /// The system is about to sleep.
    func sleep() {
        isAsleep = true
        if retirement == nil { completing = recorder?.sleep() ?? completing }
    }

    func wake() {
        isAsleep = false
        if let recorder { recorder.wake() } else { carryOut() }
    }

    /// The daemon ends: completes the file. `isComplete` tells when it has.
    func end() {
        directive = .off
        settings = nil
        if retirement == nil { completing = recorder?.finish(.shutdown) ?? completing }
    }

    /// A hint: a sound device can have appeared.
    func retryDevice() { recorder?.retryDevice() }

    private func start() {
        guard recorder == nil, let settings else { return }
        time.use(rate: settings.format.rate, after: 0)
        let recorder = MicrophoneRecorder(settings) { SystemClock.wallClock }
        if isMuted { recorder.mute(true) }
        // It fails only if no memory or no descriptor is left; the recording then continues without reports.
        running = (recorder, try? loop.whenReadable(recorder.descriptor) { [unowned self] in collectAndTell() })
    }

    // MARK: Events

    /// The events since the last call, in order.
    func takeEvents() -> [RecorderEvent] {
        defer { untaken = [] }
        return untaken
    }

    private func collectAndTell() {
        collect()
        if !untaken.isEmpty { onEvents() }
    }

    private func collect() {
        guard let recorder else { return }
        for event in recorder.takeEvents().map(\.advised) where note(event) { untaken.append(event) }
        if recorder.storageBusyTime == nil, disk.callReturned() { untaken.append(.storageRecovered) }
    }

    /// - Returns: whether the event is of interest to others.
    private func note(_ event: RecorderEvent) -> Bool {
        switch event {
        // The next recorder finds out about its own device.
        case .deviceLost where retirement != nil, .deviceReturned where retirement != nil: return false
        case .deviceOpened(let format): time.use(rate: format.stream.rate, after: recordedFrames)
        case .paused(let order, _, _, _), .finished(let order, _, _), .asleep(let order, _, _):
            if let awaited = completing, order >= awaited { completing = nil }
        case .deviceLost(let error): captureProblem = "\(error)"
        case .deviceReturned: captureProblem = nil
        case .storageFailed(let error): disk.fails(error)
        case .storageSlow(let call): disk.isSlow(call)
        case .storageRecovered: disk = RecordingDisk()
        default: break
        }
        return true
    }

    // MARK: State

    private var recorder: MicrophoneRecorder? { running?.recorder }
    private var recordedFrames: Int { recorder?.recordedFrames ?? 0 }

    /// How much has been recorded since the daemon started, silence included.
    var recorded: Duration { time.total(recordedFrames) }
    /// Why the recording is not written; nil while all is well. It outlives a reload.
    var storageProblem: String? { disk.problem }
    /// Whether the recording waits in memory, because it cannot be written.
    var isWaiting: Bool { disk.hasFailed }
    /// The path of the file being written; nil if there is none.
    var file: String? { recorder?.currentFile }
    /// Also true if it has not been opened yet.
    var isDeviceAvailable: Bool { retirement != nil || recorder?.isDeviceAvailable ?? true }
    /// Frames that were lost, and replaced by silence.
    var lostFrames: Int { recorder?.lostFrames ?? 0 }
    /// Whether everything that the last order ended is on the disk, or cannot be written.
    var isComplete: Bool { completing == nil }
    /// The progress of the recorder's threads; nil without a recorder.
    var progress: RecorderProgress? { retirement == nil ? recorder?.progress : nil }
    func poke() { recorder?.poke() }
}

extension RecorderEvent {
    /// The same event, with advice in terms of the configuration's keys.
    fileprivate var advised: RecorderEvent {
        switch self {
        case .storageFailed(let error): .storageFailed(error.advised(RecordingSettings.advice))
        case .notRemoved(let error): .notRemoved(error.advised(RecordingSettings.advice))
        default: self
        }
    }
}

extension RecorderSettings {
    /// - Returns: nil if nothing is recorded under this configuration.
    init?(_ configuration: Configuration) {
        guard configuration.session.canRecord, let settings = configuration.recording else { return nil }
        self.init(device: PCMAddress(settings.device), directory: settings.directory)
        fileType =
            switch settings.format {
            case .flac: .flac
            case .wav: .wav
            }
        format = StreamFormat(rate: settings.rate, channels: settings.channels)
        segment = settings.segment
        keep = settings.keep
        interval = configuration.state.interval
        program = "Tacet"
    }
}
