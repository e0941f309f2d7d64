import ALSA
import AudioSession
import Clocks
import Configuration
import Recording
import Systemd
import Time

/// The recorder of the present configuration, in an event loop. For control's thread; nothing here waits.
///
/// It outlives a reload: if the settings stay, the recording continues in its file. There is no recorder, and so no thread
/// and no memory of one, before the first recording.
final class RecordingControl {
    /// How long a recorder of other settings can take to complete its file and to close its device.
    private static let farewell = Duration.seconds(10)

    private let loop: EventLoop
    private var settings: RecorderSettings?
    private var recorder: MicrophoneRecorder?
    private var source: EventSource?
    /// Looks whether the recorder of other settings has ended; nil while there is none. The next one needs its device.
    private var retirement: EventTimer?
    private var directive = RecordingDirective.off
    private var isMuted = false
    private var isAsleep = false
    /// The order to pause, finish or sleep whose completion has not been reported yet.
    private var completing: Int?
    /// The frames per second of the device in use.
    private var rate = 0
    /// What was recorded before `rate` changed, or by earlier recorders.
    private var former = Duration.zero
    /// The recorder's frames that `former` includes.
    private var formerFrames = 0
    /// Whether the disk counts as slow, and whether it rejects the recording.
    private var isSlow = false
    private var hasFailed = false
    /// Why nothing is captured, and why the recording is not written; nil while all is well. Both outlive a reload.
    private(set) var captureProblem: String?
    private(set) var storageProblem: String?
    /// Whether the recording waits in memory, because it cannot be written.
    var isWaiting: Bool { hasFailed }
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
        let deadline = SystemClock.monotonic.now + Self.farewell
        retirement = try? loop.timer { [unowned self] in replace(before: deadline) }
        guard let retirement else { return replace() }
        retirement.deadline = SystemClock.monotonic.now
    }

    private func replace(before deadline: Duration) {
        collect()
        let now = SystemClock.monotonic.now
        guard let recorder, !recorder.hasEnded, now < deadline else {
            replace()
            return onEvents()
        }
        retirement?.deadline = now + .milliseconds(5)
    }

    /// The recorder of earlier settings has ended, or does not answer: another one takes its place.
    private func replace() {
        collect()
        former = recorded
        formerFrames = 0
        completing = nil
        (isSlow, hasFailed) = (false, false)
        storageProblem = nil
        source = nil
        recorder = nil
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
        rate = settings.format.rate
        let recorder = MicrophoneRecorder(settings) { SystemClock.wallClock }
        self.recorder = recorder
        if isMuted { recorder.mute(true) }
        // It fails only if no memory or no descriptor is left; the recording then continues without reports.
        source = try? loop.whenReadable(recorder.descriptor) { [unowned self] in collectAndTell() }
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
        for event in recorder.takeEvents() where note(event) { untaken.append(event) }
        guard isSlow, recorder.storageBusyTime == nil else { return }
        isSlow = false
        // It can have failed meanwhile.
        guard !hasFailed else { return }
        storageProblem = nil
        untaken.append(.storageRecovered)
    }

    /// - Returns: whether the event is of interest to others.
    private func note(_ event: RecorderEvent) -> Bool {
        switch event {
        // The next recorder finds out about its own device.
        case .deviceLost where retirement != nil, .deviceReturned where retirement != nil: return false
        case .deviceOpened(let format): use(rate: format.stream.rate)
        case .paused(let order, _, _, _), .finished(let order, _, _), .asleep(let order, _, _):
            if let awaited = completing, order >= awaited { completing = nil }
        case .deviceLost(let error): captureProblem = "\(error)"
        case .deviceReturned: captureProblem = nil
        case .storageFailed(let error):
            hasFailed = true
            storageProblem = "\(error)"
        case .storageSlow(let time):
            isSlow = true
            if !hasFailed {
                storageProblem = "the disk of the recordings is slow: one call has taken \(time.wholeTenths) s"
            }
        case .storageRecovered:
            (hasFailed, isSlow) = (false, false)
            storageProblem = nil
        default: break
        }
        return true
    }

    private func use(rate: Int) {
        guard rate != self.rate else { return }
        former = recorded
        formerFrames = recorder?.recordedFrames ?? 0
        self.rate = rate
    }

    // MARK: State

    /// How much has been recorded since the daemon started, silence included.
    var recorded: Duration {
        guard let recorder, rate > 0 else { return former }
        return former + Duration(frames: recorder.recordedFrames - formerFrames, rate: rate)
    }

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

extension Duration {
    /// In seconds, with one decimal.
    fileprivate var wholeTenths: String {
        (wholeNanoseconds / 100_000_000).decimal(places: 1)
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
    }
}
