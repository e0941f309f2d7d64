import ALSA
import AudioSession
import Configuration
import Files
import Recording

/// The capture device of a rehearsal, and its recording. Its clock never stops. The value of each frame is its number,
/// which is the count of frames since the start of the rehearsal, modulo 2²³. The recording therefore shows which
/// frames are missing.
struct VirtualMicrophone {
    var isThere = true
    private let clock: DeviceClock
    private var directive = RecordingDirective.off
    private var isAsleep = false
    private var isMuted = false
    /// The first frame of the clock that has not been written yet, or nil while nothing is recorded.
    private var since: Int?
    /// The number of frames that were recorded since the boot, before `since`.
    private var frames = 0
    /// The file, or nil to discard what is recorded.
    private var file: VirtualRecording?

    /// Creates a microphone.
    /// - Parameters:
    ///   - rate: the rate in frames per second.
    ///   - file: the file to which to record, or nil to discard what is recorded.
    init(rate: Int, file: VirtualRecording?) {
        clock = DeviceClock(opened: .zero, rate: rate)
        self.file = file
    }

    mutating func record(_ directive: RecordingDirective, at now: Duration) throws(RecordingError) {
        try advance(to: now)
        if directive == .off { try file?.close(.stopped) }
        self.directive = directive
        follow(at: now)
    }

    mutating func mute(_ isMuted: Bool, at now: Duration) throws(RecordingError) {
        try advance(to: now)
        self.isMuted = isMuted
    }

    /// Stops capturing, because the system is suspended.
    mutating func sleep(at now: Duration) throws(RecordingError) {
        try advance(to: now)
        isAsleep = true
        follow(at: now)
    }

    mutating func wake(at now: Duration) {
        isAsleep = false
        follow(at: now)
    }

    /// Cuts the power. What was recorded since the last flush is lost.
    mutating func cutPower(at now: Duration) throws(RecordingError) {
        if let since, let interval = file?.interval {
            let step = max(1, interval.frames(atRate: clock.rate))
            try advance(to: clock.time(of: since + (clock.frames(at: now) - since) / step * step))
        }
        file?.cutPower()
        directive = .off
        isAsleep = false
        isMuted = false
        since = nil
        frames = 0
    }

    /// Completes the recording at the end of the rehearsal.
    mutating func finish(at now: Duration) throws(RecordingError) {
        try advance(to: now)
        try file?.close(.shutdown)
    }

    /// Returns the time that has been recorded since the boot.
    func recorded(at now: Duration) -> Duration {
        clock.time(of: frames + (since.map { clock.frames(at: now) - $0 } ?? 0))
    }

    private mutating func advance(to now: Duration) throws(RecordingError) {
        guard let first = since else { return }
        let end = clock.frames(at: now)
        frames += end - first
        since = end
        try file?.write(first..<end, rate: clock.rate, isMuted: isMuted, at: clock.time(of: first))
    }

    private mutating func follow(at now: Duration) {
        since = directive == .on && !isAsleep ? clock.frames(at: now) : nil
    }
}

/// The files of a rehearsal's recording.
struct VirtualRecording {
    /// The maximum number of frames that are in memory at once.
    private static let piece = 1 << 16
    private static let bits = 24

    private let settings: RecorderSettings
    private var writer: RecordingWriter

    /// Creates the recording.
    /// - Parameters:
    ///   - folder: the folder to use instead of the configured one, which belongs to the board.
    ///   - interval: the length of recorded audio that is lost in a power cut.
    init(_ settings: RecordingSettings, in folder: String, interval: Duration) {
        var recording = RecorderSettings(device: PCMAddress("virtual"), directory: folder)
        recording.fileType = settings.format == .flac ? .flac : .wav
        recording.format = StreamFormat(rate: settings.rate, channels: settings.channels)
        recording.bits = Self.bits
        recording.segment = settings.segment
        recording.keep = settings.keep
        recording.interval = interval
        recording.program = "Tacet"
        self.settings = recording
        writer = RecordingWriter(recording)
    }

    /// Returns true if there is no file in a folder, or no such folder.
    static func isEmpty(_ folder: String) -> Bool {
        var files: [ListedFile] = []
        _ = SystemFileCalls().list(folder, &files)
        return files.isEmpty
    }

    /// The length of recorded audio that is lost in a power cut.
    var interval: Duration { settings.interval }

    mutating func write(_ frames: Range<Int>, rate: Int, isMuted: Bool, at time: Duration) throws(RecordingError) {
        let channels = settings.format.channels
        let format = RecordedFormat(StreamFormat(rate: rate, channels: channels), bits: Self.bits)
        var samples: [Int32] = []
        var first = frames.lowerBound
        while first < frames.upperBound {
            let end = min(first + Self.piece, frames.upperBound)
            samples.removeAll(keepingCapacity: true)
            for frame in first..<end {
                let value = isMuted ? 0 : Int32(frame & 0x7F_FFFF)
                for _ in 0..<channels { samples.append(value) }
            }
            let start = time + Duration(frames: first - frames.lowerBound, rate: rate)
            var failure: RecordingError?
            samples.withUnsafeBufferPointer { buffer in
                do throws(RecordingError) {
                    try writer.write(buffer, format: format, at: start)
                } catch { failure = error }
            }
            if let failure { throw failure }
            first = end
        }
        try writer.flush()
    }

    mutating func close(_ reason: RecordingEnd) throws(RecordingError) { try writer.close(reason) }

    /// Discards the current recorder. Another one starts after the next boot.
    mutating func cutPower() {
        _ = writer.abandon()
        writer = RecordingWriter(settings)
    }
}
