import ALSA
import Threads
import Time

/// The settings of a recorder, which determine what it records and where.
public struct RecorderSettings: Hashable, Sendable {
    /// The device to capture from.
    public var device: PCMAddress
    /// The way in which the capturing thread handles the device. The device is treated as unused while nothing is
    /// recorded.
    public var handling = DeviceHandling()
    /// The folder of the files. If it is missing when the first file begins, it is created. The folder above it must
    /// exist.
    public var directory: String
    public var fileType = RecordingFileType.flac
    /// The rate in Hz, which is above 0, and the number of channels, 1…8. The device uses the nearest values that it
    /// supports.
    public var format = StreamFormat(rate: 48_000, channels: 1)
    /// The number of bits of a sample, 16 or 24. If a device does not support this number, the other one is used.
    public var bits = 16
    /// The length of a file, which is above 0.
    public var segment = Duration.seconds(900)
    /// The maximum disk space that recordings may use, in bytes, or nil for no limit. The oldest ones are deleted
    /// first. The one being written is never deleted, so a single recording may be larger.
    public var keep: Int64?
    /// The maximum duration of a recording that a power cut may destroy, which is above 0.
    public var interval = Duration.seconds(5)
    /// The pauses between the attempts to write to a disk that has failed.
    public var storageRetry = Backoff(from: .milliseconds(250), to: .seconds(5))
    /// The time for which a disk may stall before frames are lost, at least 1 s. It determines the amount of memory,
    /// calculated for the requested format or for stereo at 48 kHz, whichever is larger.
    public var ring = Duration.seconds(10)
    /// The time that a call may take before the disk is reported as slow.
    public var slowStorage = Duration.seconds(1)

    /// The name of the program, at most 5 bytes long. The files' tags contain it, and the names of the threads begin
    /// with it in lower case.
    public var program = "Sound"

    public init(device: PCMAddress, directory: String) {
        self.device = device
        self.directory = directory
    }

    /// The time from a frame's arrival to the flush that writes it, in nanoseconds. It ensures that the frame is on the
    /// disk within `interval`, although frames arrive in pieces and a flush takes some time.
    var flushTime: Int {
        let interval = interval.wholeNanoseconds
        return interval - min(interval / 2, 750_000_000)
    }

    /// These settings, limited to valid values.
    var limited: RecorderSettings {
        var settings = self
        settings.format.rate = min(max(format.rate, 1000), 655_350)
        settings.format.channels = min(max(format.channels, 1), 8)
        settings.bits = bits <= 16 ? 16 : 24
        settings.segment = max(segment, .milliseconds(1))
        settings.interval = max(interval, .milliseconds(10))
        settings.ring = min(max(ring, .seconds(1)), .seconds(60))
        settings.handling = handling.limited
        return settings
    }
}

/// The types of files. Both are lossless.
public enum RecordingFileType: String, Hashable, Sendable, CaseIterable {
    case flac
    /// A WAV file, which becomes an RF64 file when it grows beyond 4 GiB.
    case wav
}

/// The format of recorded frames. Samples are interleaved 32-bit integers, of which the lower `bits` bits are used.
public struct RecordedFormat: Hashable, Sendable, CustomStringConvertible {
    public var stream: StreamFormat
    /// The number of bits of a sample, 16 or 24.
    public var bits: Int

    public init(_ stream: StreamFormat, bits: Int) {
        self.stream = stream
        self.bits = bits
    }

    public var description: String { "\(stream), \(bits) bit" }
}

/// The reason why a file has ended. The file's tags contain it.
public enum RecordingEnd: Int, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Recording is no longer wanted.
    case stopped
    /// The file has reached its maximum length. The next file begins with the following frame.
    case segment
    /// The device's format has changed.
    case format
    /// The gap of lost frames was too long to be replaced with silence.
    case lost
    /// The file could not be written any further.
    case storage
    /// The settings have changed.
    case settings
    /// The program is ending.
    case shutdown
    /// Another program has deleted the file while it was being written.
    case deleted

    public var description: String {
        switch self {
        case .stopped: "recording stopped"
        case .segment: "segment complete"
        case .format: "the device's format changed"
        case .lost: "frames were lost"
        case .storage: "storage failed"
        case .settings: "the settings changed"
        case .shutdown: "the recorder stopped"
        case .deleted: "the file was deleted"
        }
    }
}
