import ALSA
import Threads
import Time

/// What a recorder records, and where to.
public struct RecorderSettings: Hashable, Sendable {
    /// The device to capture from.
    public var device: PCMAddress
    /// How the capturing thread treats it. While nothing is recorded, it is not in use.
    public var handling = DeviceHandling()
    /// The folder of the files. It is created if only it is missing when the first file begins; the folder above it must
    /// exist.
    public var directory: String
    public var fileType = RecordingFileType.flac
    /// Hz, above 0, and the number of channels, 1…8; the device uses the nearest that it supports.
    public var format = StreamFormat(rate: 48_000, channels: 1)
    /// The bits of a sample: 16 or 24. A device that lacks 16 bits is recorded with 24, and the other way round.
    public var bits = 16
    /// The length of a file; above 0.
    public var segment = Duration.seconds(900)
    /// The most disk space that recordings may use, in bytes; nil: no limit. The oldest ones are deleted first, never the
    /// one being written, so a single recording can be larger.
    public var keep: Int64?
    /// How much a power cut may lose; above 0.
    public var interval = Duration.seconds(5)
    /// The pauses between the attempts to write to a disk that cannot be written.
    public var storageRetry = Backoff(from: .milliseconds(250), to: .seconds(5))
    /// How long a disk may be slow without a loss: the frames that fit into memory, at the requested format or at stereo
    /// with 48 kHz, whichever is larger. At least 1 s.
    public var ring = Duration.seconds(10)
    /// A disk that takes longer than this for a call is reported as slow.
    public var slowStorage = Duration.seconds(1)

    /// The files' tags have it, and the names of the threads begin with it, in lower case; at most 5 bytes.
    public var program = "Sound"

    public init(device: PCMAddress, directory: String) {
        self.device = device
        self.directory = directory
    }

    /// Nanoseconds from a frame's arrival to the flush that writes it, so that it is on the disk within `interval`, although
    /// frames arrive in pieces and a flush takes its time.
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

/// The kinds of files. Both are lossless.
public enum RecordingFileType: String, Hashable, Sendable, CaseIterable {
    case flac
    /// A WAV file, which becomes an RF64 file when it grows beyond 4 GiB.
    case wav
}

/// The format of recorded frames: interleaved integers of 32 bits, of which the lower `bits` are used.
public struct RecordedFormat: Hashable, Sendable, CustomStringConvertible {
    public var stream: StreamFormat
    /// The bits of a sample: 16 or 24.
    public var bits: Int

    public init(_ stream: StreamFormat, bits: Int) {
        self.stream = stream
        self.bits = bits
    }

    public var description: String { "\(stream), \(bits) bit" }
}

/// Why a file has ended. The file's tags contain it.
public enum RecordingEnd: Int, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Recording is no longer wanted.
    case stopped
    /// The file has reached its length; the next one begins with the following frame.
    case segment
    /// The device's format has changed.
    case format
    /// Frames were lost for longer than silence could replace them.
    case lost
    /// The file could not be written any further.
    case storage
    /// The settings have changed.
    case settings
    /// The program ends.
    case shutdown
    /// Another program has deleted the file while it was written.
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
