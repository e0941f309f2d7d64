import Chance
import DiskLab
import Recording

/// A random recording on a disk in memory, and the required contents of its files.
struct WriterRun {
    let settings: RecorderSettings
    let writer: RecordingWriter
    private(set) var random: SplitMix
    /// All frames passed to the writer, one number for each sample.
    private(set) var samples: [Int32] = []
    /// The number of frames that are certainly on the disk.
    private(set) var flushed = 0
    /// Each file with its first frame and, once it has ended, its length.
    private(set) var files: [(path: String, start: Int, length: Int?)] = []
    private(set) var removed: [String] = []
    private(set) var frames = 0
    let format: RecordedFormat

    static let start = Duration.seconds(1_795_356_192)

    init(
        _ disk: LabDisk, seed: UInt64, type: RecordingFileType? = nil,
        _ change: (inout RecorderSettings) -> Void = { _ in }
    ) {
        random = SplitMix(seed: seed)
        var settings = RecorderSettings(device: .init("microphone"), directory: "/recordings")
        settings.fileType = type ?? (Bool.random(using: &random) ? .flac : .wav)
        settings.format = .init(rate: 8000, channels: Int.random(in: 1...2, using: &random))
        settings.segment = .milliseconds(Int.random(in: 100...2000, using: &random))
        change(&settings)
        self.settings = settings
        format = RecordedFormat(settings.format, bits: Bool.random(using: &random) ? 16 : 24)
        writer = RecordingWriter(settings, calls: disk)
    }

    /// Makes a random step, which writes frames, flushes, or ends a file.
    mutating func step() throws(RecordingError) {
        defer { note() }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: try write(Int.random(in: 1...900, using: &random))
        case 6..<9:
            try writer.flush()
            flushed = frames
        default:
            try writer.close(.stopped)
            flushed = frames
        }
    }

    mutating func write(_ count: Int) throws(RecordingError) {
        let new: [Int32] = (0..<count * format.stream.channels).map { _ in
            // The signal is noise of varying loudness plus numbers.
            Int32.random(in: -300...300, using: &random) + Int32(samples.count % 20_000)
        }
        samples += new
        let time = Self.start + .milliseconds(frames / 8)
        frames += count
        defer { note() }
        var failure: RecordingError?
        new.withUnsafeBufferPointer { new in
            do throws(RecordingError) {
                try writer.write(new, format: format, at: time)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    mutating func retry() throws(RecordingError) {
        defer { note() }
        try writer.retry()
        flushed = frames
    }

    mutating func close() throws(RecordingError) {
        defer { note() }
        try writer.close(.shutdown)
        flushed = frames
    }

    private mutating func note() {
        for event in writer.takeEvents() {
            switch event {
            case .began(let path):
                files.append((path, files.last.map { $0.start + ($0.length ?? 0) } ?? 0, nil))
            case .ended(_, let length, _):
                files[files.count - 1].length = length
                let end = files[files.count - 1].start + length
                flushed = max(flushed, end)
            case .removed(let path, _): removed.append(path)
            case .notRemoved: break
            }
        }
    }

    /// Returns the samples that a file must contain as a minimum.
    func required(_ index: Int) -> ArraySlice<Int32> {
        let file = files[index]
        let end = min(file.length.map { file.start + $0 } ?? flushed, flushed)
        let channels = format.stream.channels
        return samples[file.start * channels..<max(file.start, end) * channels]
    }
}
