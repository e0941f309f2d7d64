import Configuration
import Glibc
import Time

extension Inspection {
    /// Warns if the microphone's device or the folder for its recordings is missing, or if `Keep=` is too small for one
    /// file.
    mutating func inspectRecording() {
        guard configuration.session.canRecord, let recording = configuration.recording else { return }
        if let problem = deviceProblem(recording.device) {
            warn(
                loaded.warning(
                    about: "Device", in: "Recording",
                    "Device=\(recording.device): this machine has no such device: \(problem.message)",
                    advice: suggestion(instead: recording.device, of: "Device", cardDevices().forCapture)))
        }
        inspectFolder(recording)
        if let policy = configuration.session.recorder, policy.during == .interruptions, !policy.autoRecord {
            note(
                "recording begins only with tacet record start, although During=interruptions records through "
                    + "interruptions: write AutoRecord=yes to record from the first boot on")
        }
        inspectCapacity(recording)
        let size = Int64(recording.segment / .seconds(1)) * Int64(recording.rate * recording.channels * 2)
        guard let keep = recording.keep, size > keep else { return }
        warn(
            loaded.warning(
                about: "Keep", "Segment", in: "Recording",
                "Keep=\(ByteSize.format(keep)) may be too small for one file: \(TimeSpan.format(recording.segment)) need up "
                    + "to \(size / (1 << 20) + 1)M, so each file may replace all others",
                advice: "write a larger Keep= or a shorter Segment="))
    }

    /// Warns if the disk becomes full before the oldest recordings are deleted.
    private mutating func inspectCapacity(_ recording: RecordingSettings) {
        var disk = statvfs()
        guard let keep = recording.keep, Self.places(of: recording).contains(where: { statvfs($0, &disk) == 0 }) else {
            return
        }
        let (size, isHuge) = Int64(clamping: disk.f_blocks).multipliedReportingOverflow(
            by: Int64(clamping: disk.f_frsize))
        guard !isHuge, size > 0, keep > size else { return }
        warn(
            loaded.warning(
                about: "Keep", in: "Recording",
                "Keep=\(ByteSize.format(keep)) is more than the disk of Directory= can hold, which is "
                    + "\(ByteSize.format((size >> 20) << 20))",
                advice: "write a smaller Keep=, or else the disk becomes full and recording fails"))
    }

    /// Returns the folder of the recordings and its parent, because the recorder creates only the last folder.
    private static func places(of recording: RecordingSettings) -> [String] {
        let folder = recording.directory
        let parent = folder.lastIndex(of: "/").map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        return [folder, parent]
    }

    private mutating func inspectFolder(_ recording: RecordingSettings) {
        let folder = recording.directory
        let places = Self.places(of: recording)
        for path in places {
            var status = stat()
            guard stat(path, &status) == 0 else {
                guard path == places.last, errno == ENOENT || errno == ENOTDIR else { continue }
                // After a new installation, the service may not have started yet.
                if path == serviceFolder { return }
                return warn(
                    loaded.warning(
                        about: "Directory", in: "Recording", "Directory=\(folder): there is no folder \(path)",
                        advice: "create it or correct the path"))
            }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                return warn(
                    loaded.warning(
                        about: "Directory", in: "Recording", "Directory=\(folder): \(path) is not a folder",
                        advice: "correct the path"))
            }
            break
        }
        guard !(folder + "/").hasPrefix(serviceFolder + "/") else { return }
        note(
            "the service can write recordings to \(folder) only with ReadWritePaths=\(folder) in a drop-in of its unit "
                + "(systemctl edit tacet), and if that folder belongs to its user tacet")
    }
}
