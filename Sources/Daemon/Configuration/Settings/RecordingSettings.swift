import AudioSession
import Glibc

/// The device and the files for recording from the microphone. `RecorderPolicy` contains the settings that a session
/// needs.
public struct RecordingSettings: Hashable, Sendable {
    public enum Format: String, Hashable, Sendable, CaseIterable { case flac, wav }

    /// ALSA's name of the input.
    public var device = "default"
    /// The folder of the recordings. A relative path starts at the folder of the file that sets it.
    public var directory = "/var/lib/tacet/recordings"
    public var format = Format.flac
    /// Frames per second, 8000…192,000.
    public var rate = 48_000
    /// The number of channels, 1…8.
    public var channels = 1
    /// The time after which a new file begins, 1 s…1 d.
    public var segment = Duration.seconds(15 * 60)
    /// The maximum size of all recordings together in bytes, at least 1 MiB, or nil for no limit.
    public var keep: Int64? = 1 << 30

    public init() {}
}

/// The keys of the section `[Recording]`.
struct RecordingKeys: Hashable, Sendable {
    var settings = RecordingSettings()
    var autoRecord = false
    var during = RecorderPolicy.During.active
    var isEnabled = true
}

extension RecordingSettings {
    /// Returns advice for a technician about a failed system call in terms of the keys, or nil if there is nothing
    /// particular to advise.
    public static func advice(errno code: Int32) -> String? {
        switch code {
        case ENOSPC, EDQUOT: "free some disk space or lower Keep=, after which recording continues"
        case EFBIG: "lower Segment=, because the file system limits the size of files"
        case ENOENT, ENOTDIR: "check that the disk with the directory is mounted, or correct Directory="
        default: nil
        }
    }
}
