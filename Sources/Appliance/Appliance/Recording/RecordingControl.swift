import ALSA
import AudioSession
import Configuration
import Recording
import Systemd

/// The recorder of the present configuration, in an event loop. For control's thread; nothing here waits.
///
/// It outlives a reload: if the settings stay, the recording continues in its file. There is no recorder, and so no thread
/// and no memory of one, before the first recording.
final class RecordingControl {
    private let loop: EventLoop
    private var settings: RecorderSettings?
    private var recorder: MicrophoneRecorder?
    private var source: EventSource?
    private var directive = RecordingDirective.off
    private var isMuted = false
    /// The order to pause, finish or sleep whose completion has not been reported yet.
    private var completing: Int?
    /// The frames per second of the device in use.
    private var rate = 0
    /// What was recorded before `rate` changed, or by earlier recorders.
    private var former = Duration.zero
    /// The recorder's frames that `former` includes.
    private var formerFrames = 0
    /// Why the disk counts as slow; nil while it does not.
    private var isSlow = false
    /// Events that nobody has taken yet, as there is no installation during a reload.
    private var untaken: [RecorderEvent] = []
    /// Called when there are events to take; never during another call.
    var onEvents: () -> Void = {}

    init(in loop: EventLoop) { self.loop = loop }

    // MARK: Orders

    /// Records as configured from now on. Other settings end the file, and the next `record` begins another one.
    func use(_ configuration: Configuration) {
        let new = RecorderSettings(configuration)
        guard new != settings else { return }
        settings = new
        former = recorded
        formerFrames = 0
        let present = directive
        directive = .off
        completing = nil
        source = nil
        // It completes its file, and its threads end.
        recorder?.finish(.settings)
        recorder = nil
        record(present)
    }

    func record(_ directive: RecordingDirective) {
        guard directive != self.directive else { return }
        switch directive {
        case .on:
            completing = nil
            start()
            recorder?.record()
        case .paused: completing = recorder?.pause()
        case .off: completing = recorder?.finish(.stopped)
        }
        self.directive = directive
    }

    /// Records silence from the present frame on, or no longer.
    func mute(_ isMuted: Bool) {
        self.isMuted = isMuted
        recorder?.mute(isMuted)
    }

    /// The system is about to sleep.
    func sleep() { completing = recorder?.sleep() ?? completing }
    func wake() { recorder?.wake() }

    /// The daemon ends: completes the file. `isComplete` tells when it has.
    func end() {
        completing = recorder?.finish(.shutdown)
        directive = .off
    }

    /// A hint: a sound device can have appeared.
    func retryDevice() { recorder?.retryDevice() }

    private func start() {
        guard recorder == nil, let settings else { return }
        rate = settings.format.rate
        let recorder = MicrophoneRecorder(settings) { EventClock.wallClock }
        self.recorder = recorder
        if isMuted { recorder.mute(true) }
        // Without a source its events would not arrive; the watchdog's look takes them, too.
        source = try? loop.whenReadable(recorder.descriptor) { [unowned self] in collect() }
    }

    // MARK: Events

    /// The events since the last call, in order.
    func takeEvents() -> [RecorderEvent] {
        defer { untaken = [] }
        return untaken
    }

    private func collect() {
        guard let recorder else { return }
        for event in recorder.takeEvents() {
            note(event)
            untaken.append(event)
        }
        if isSlow, recorder.storageBusyTime == nil {
            isSlow = false
            untaken.append(.storageRecovered)
        }
        if !untaken.isEmpty { onEvents() }
    }

    private func note(_ event: RecorderEvent) {
        switch event {
        case .deviceOpened(let format): use(rate: format.stream.rate)
        case .paused(let order, _, _, _), .finished(let order, _, _), .asleep(let order, _, _):
            if let awaited = completing, order >= awaited { completing = nil }
        case .storageSlow: isSlow = true
        default: break
        }
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
    var isDeviceAvailable: Bool { recorder?.isDeviceAvailable ?? true }
    /// Frames that were lost, and replaced by silence.
    var lostFrames: Int { recorder?.lostFrames ?? 0 }
    /// Whether everything that the last order ended is on the disk, or cannot be written.
    var isComplete: Bool { completing == nil }
    /// The progress of the recorder's threads; nil without a recorder.
    var progress: RecorderProgress? { recorder?.progress }
    func poke() { recorder?.poke() }
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
