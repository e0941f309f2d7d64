import ALSA
import Glibc
import Playback

/// Records the output of the virtual device as one WAV file that covers the whole run.
///
/// The file has the format of the first device that plays. Later output in another format is converted, as if a
/// microphone recorded the loudspeaker. While there is no device or no power, the recording is silent.
final class Recorder {
    private let file: OutputFile
    private var writer: AudioFileWriter?
    private var session: Session?
    /// The number of frames in the file so far.
    private var frames = 0
    private(set) var peaks = PeakMeter()

    /// The time from when a device is opened until it is closed.
    private struct Session {
        let opened: Duration
        let output: CapturedOutput
        var converter: FormatConverter?
    }

    init(file: OutputFile) { self.file = file }

    /// Starts to record a device that is opened with this format.
    func begin(_ format: StreamFormat, at time: Duration) throws(PCMError) -> any PCMOutput {
        // The recorder owns the output, whose closure must not retain it.
        let output = try CapturedOutput(format: format) { [unowned self] (samples, frames) throws(PCMError) in
            try record(samples, frames: frames, format: format)
        }
        session = Session(opened: time, output: output)
        return output
    }

    /// Ends the recording when the device is closed.
    func end(at time: Duration) throws(PCMError) {
        guard let output = session?.output else { return }
        try output.finish()
        if let writer, let converter = session?.converter {
            try converter.finish { (samples, count) throws(PCMError) in try write(samples, count, to: writer) }
            try align(to: time, writer)
        }
        session = nil
    }

    /// Completes the file at the end of the run. All errors concern the file.
    func finish(at time: Duration) throws(PCMError) {
        try end(at: time)
        let writer = try open(VirtualDevice().format)
        try align(to: time, writer)
        try writer.finish()
    }

    private func record(_ samples: UnsafePointer<Int32>, frames: Int, format: StreamFormat) throws(PCMError) {
        let writer = try open(format)
        if session?.converter == nil {
            try align(to: session?.opened ?? .zero, writer)
            session?.converter = try FormatConverter(from: format, to: writer.format)
        }
        try session?.converter?.convert(samples, frames: frames) { (samples, count) throws(PCMError) in
            try write(samples, count, to: writer)
        }
    }

    private func write(_ samples: UnsafePointer<Int32>, _ count: Int, to writer: AudioFileWriter) throws(PCMError) {
        try writer.write(samples, frames: count)
        peaks.add(samples, frames: count, of: writer.format)
        frames += count
    }

    /// Writes silence up to an instant. The conversion can be wrong by at most one frame.
    private func align(to time: Duration, _ writer: AudioFileWriter) throws(PCMError) {
        let silence = [Int32](repeating: 0, count: 4096 * writer.format.channels)
        var missing = DeviceClock(opened: .zero, rate: writer.format.rate).frames(at: time) - frames
        while missing > 0 {
            let count = min(missing, 4096)
            try write(silence, count, to: writer)
            missing -= count
        }
    }

    private func open(_ format: StreamFormat) throws(PCMError) -> AudioFileWriter {
        if let writer { return writer }
        // The writer closes its descriptor.
        let descriptor = dup(file.descriptor)
        guard descriptor >= 0 else { throw .system(errno, operation: "write", device: file.name) }
        let writer = try AudioFileWriter(descriptor: descriptor, path: file.name, format: format)
        self.writer = writer
        return writer
    }
}

/// The peaks of intervals of 20 ms, which are drawn in the picture.
struct PeakMeter {
    private static let bucketsPerSecond = 50
    /// The peaks, from 0 to 1.
    private(set) var peaks: [Double] = []
    private var frame = 0
    private var loudest: Int32 = 0

    mutating func add(_ samples: UnsafePointer<Int32>, frames: Int, of format: StreamFormat) {
        for offset in 0..<frames {
            for channel in 0..<format.channels {
                let sample = samples[offset * format.channels + channel]
                loudest = max(loudest, sample == .min ? .max : abs(sample))
            }
            frame += 1
            if frame * Self.bucketsPerSecond / format.rate > peaks.count {
                peaks.append(Double(loudest) / 2_147_483_648)
                loudest = 0
            }
        }
    }

    /// Returns the time at which this bucket begins, in seconds.
    static func time(of bucket: Int) -> Double { Double(bucket) / Double(bucketsPerSecond) }
}
