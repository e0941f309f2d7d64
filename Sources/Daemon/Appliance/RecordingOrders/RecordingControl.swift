import ALSA
import AudioSession
import Clocks
import Configuration
import Recording
import Systemd

/// Controls the recorder of the current configuration in an event loop. Use it on the control thread only. None of its
/// methods waits.
///
/// It outlives a reload. If the settings do not change, the recording continues in its file. The recorder, with its
/// threads and its memory, is created only for the first recording.
final class RecordingControl {
    /// The longest time that a recorder with other settings may take to complete its file and close its device.
    private static let farewell = Duration.seconds(10)

    private let loop: EventLoop
    private var settings: RecorderSettings?
    /// The recorder, and the source that calls back when it has events.
    private var running: (recorder: MicrophoneRecorder, source: EventSource?)?
    /// The wait for the end of a recorder with other settings, whose device the next recorder needs, or nil if there is
    /// no such wait.
    private var retirement: ConditionWait?
    private var directive = RecordingDirective.off
    private var isMuted = false
    private var isAsleep = false
    /// The order to pause, finish or sleep whose completion has not been reported yet.
    private var completing: Int?
    private var time = RecordedTime()
    private var disk = RecordingDisk()
    /// The reason why nothing is captured, or nil while something is. It outlives a reload.
    private(set) var captureProblem: String?
    /// The events that have not been handled yet, because there is no installation during a reload.
    private var untaken: [RecorderEvent] = []
    /// Called when events are available, but never during another call.
    var onEvents: () -> Void = {}

    init(in loop: EventLoop) { self.loop = loop }

    // MARK: Orders

    /// Records as configured from now on. If the settings differ, the file ends, and another one begins if recording is
    /// wanted.
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

    /// Replaces the recorder of earlier settings, which has ended or does not answer.
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
        // The next recorder begins with the directive that applies then.
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

    /// Starts or stops recording silence from the current frame on.
    func mute(_ isMuted: Bool) {
        self.isMuted = isMuted
        if retirement == nil { recorder?.mute(isMuted) }
    }

    /// Prepares for the sleep of the system.
    func sleep() {
        isAsleep = true
        if retirement == nil { completing = recorder?.sleep() ?? completing }
    }

    func wake() {
        isAsleep = false
        if let recorder { recorder.wake() } else { carryOut() }
    }

    /// Completes the file because the daemon ends. `isComplete` indicates when that is done.
    func end() {
        directive = .off
        settings = nil
        if retirement == nil { completing = recorder?.finish(.shutdown) ?? completing }
    }

    /// Tries to open a lost device, because a sound device may have appeared.
    func retryDevice() { recorder?.retryDevice() }

    private func start() {
        guard recorder == nil, let settings else { return }
        time.use(rate: settings.format.rate, after: 0)
        let recorder = MicrophoneRecorder(settings) { SystemClock.wallClock }
        if isMuted { recorder.mute(true) }
        // This fails only if no memory or no descriptor is left. The recording then continues without reports.
        running = (recorder, try? loop.whenReadable(recorder.descriptor) { [unowned self] in collectAndTell() })
    }

    // MARK: Events

    /// Returns the events since the last call, in order.
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

    /// - Returns: True if the caller must report the event.
    private func note(_ event: RecorderEvent) -> Bool {
        switch event {
        // The next recorder determines the state of its own device.
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

    /// The time that has been recorded since the daemon started, including silence.
    var recorded: Duration { time.total(recordedFrames) }
    /// The reason why the recording is not written, or nil if there is no problem. It outlives a reload.
    var storageProblem: String? { disk.problem }
    /// True if the recording waits in memory because it cannot be written.
    var isWaiting: Bool { disk.hasFailed }
    /// The path of the file being written, or nil if there is none.
    var file: String? { recorder?.currentFile }
    /// True if the device is available or has not been opened yet.
    var isDeviceAvailable: Bool { retirement != nil || recorder?.isDeviceAvailable ?? true }
    /// The number of frames that were lost and replaced by silence.
    var lostFrames: Int { recorder?.lostFrames ?? 0 }
    /// True if everything that the last order ended is on the disk or cannot be written.
    var isComplete: Bool { completing == nil }
    /// The progress of the recorder's threads, or nil if there is no recorder.
    var progress: RecorderProgress? { retirement == nil ? recorder?.progress : nil }
    func poke() { recorder?.poke() }
}

extension RecorderEvent {
    /// The same event with advice in terms of the configuration's keys.
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
