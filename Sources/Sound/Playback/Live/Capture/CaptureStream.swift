import ALSA
import CRealTime
import Glibc
import Time

/// An open capture device and the frames that were last read from it. Opening and reading it may block if it is a sound
/// server's.
struct CaptureStream: ~Copyable {
    private let pcm: PCM
    private let configuration: PCMConfiguration
    /// The frames that were last read, as floating-point numbers.
    let samples: UnsafeMutablePointer<Float>
    private let raw: UnsafeMutableRawPointer
    private let shortPause: Int
    /// The time at which frames were last read, or at which the device was started, in nanoseconds.
    private var readAt: Int
    /// The number of recoveries since frames were last read.
    private var recoveries = 0

    /// The time between two reads while frames are needed, unless the latency is short.
    private static let usualPause = Duration.milliseconds(20)
    /// The time between two reads while only the level is measured.
    private static let longPause = Duration.milliseconds(50)
    private static let mostRecoveries = 10

    /// Opens a device and starts it.
    /// - Parameters:
    ///   - format: the format that needs the least conversion, or nil if it is unknown.
    ///   - latency: the delay with which the audio is played.
    init(
        _ device: PCMAddress, like format: StreamFormat?, latency: Duration, quietly: Bool
    ) throws(PCMError) {
        let pcm = try PCM.open(device, for: .capture, blocks: false, quietly: quietly)
        let format = format ?? StreamFormat(rate: 48_000, channels: 2)
        var request = PCMRequest(
            StreamFormat(rate: format.rate, channels: min(format.channels, LiveFormat.channels.upperBound)),
            periodFrames: format.rate / 100, bufferFrames: format.rate / 2)
        request.isPaced = true
        let configuration = try pcm.configure(request)
        guard LiveFormat.channels.contains(configuration.format.channels),
            LiveFormat.rates.contains(configuration.format.rate)
        else {
            throw .system(
                EINVAL, operation: "capture from", device: device.name,
                advice: "it has \(configuration.format): use a \"plug:\" device with at most 8 channels")
        }
        do throws(PCMFault) {
            try pcm.start()
        } catch {
            throw PCMError(error, device: device.name)
        }
        self.configuration = configuration
        self.pcm = pcm
        shortPause = min(Self.usualPause, latency / 4).wholeNanoseconds
        let bytes = configuration.bufferFrames * configuration.bytesPerFrame
        raw = .allocate(byteCount: bytes, alignment: 16)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let count = configuration.bufferFrames * configuration.format.channels
        samples = .allocate(capacity: count)
        samples.initialize(repeating: 0, count: count)
        readAt = Int(realtime_now())
    }

    deinit {
        samples.deallocate()
        raw.deallocate()
    }

    var format: StreamFormat { configuration.format }

    /// Returns the time until the next read in nanoseconds.
    func pause(isUrgent: Bool) -> Int { isUrgent ? shortPause : Self.longPause.wholeNanoseconds }

    /// Reads the frames that have been captured since the last call.
    /// - Returns: the number of frames in `samples`, the time at which the last one was captured in nanoseconds of
    ///   CLOCK_MONOTONIC, and the number of frames before them that have been lost.
    /// - Throws: the device's fault if it has to be opened again.
    mutating func read() throws(PCMFault) -> (frames: Int, time: Int, lost: Int) {
        do throws(PCMFault) {
            let available = try pcm.readable()
            let now = Int(realtime_now())
            guard available > 0 else { return (0, now, 0) }
            let count = try pcm.read(raw, frames: min(available, configuration.bufferFrames))
            configuration.sampleFormat.decode(raw, to: samples, count: count * format.channels)
            readAt = now
            recoveries = 0
            return (count, now, 0)
        } catch {
            return (0, Int(realtime_now()), try recover(from: error))
        }
    }

    /// Recovers the device after a failed call.
    /// - Returns: the number of frames that have been lost.
    private mutating func recover(from fault: PCMFault) throws(PCMFault) -> Int {
        switch PCMRemedy(for: fault.code, in: pcm.state) {
        case .tryAgain, .wait: return 0
        case .reopen: throw fault
        case .resume, .prepare: break
        }
        recoveries += 1
        guard recoveries <= Self.mostRecoveries else { throw fault }
        try pcm.prepare()
        try pcm.start()
        let now = Int(realtime_now())
        defer { readAt = now }
        return Duration.nanoseconds(max(0, now - readAt)).frames(atRate: format.rate)
    }
}
