import ALSA
import Files
import Glibc
import Time

/// A recording that is being written.
///
/// The first 512 bytes, which are one sector, contain everything except the sound, and are only replaced as a whole.
/// Frames are only appended to the rest. Frames are kept in memory until they are known to be on the disk, so a failed
/// call loses nothing. The frames are then written again, to this file or to another one.
final class RecordingFile {
    let path: String
    let format: RecordedFormat
    /// The time at which the first frame was captured.
    let start: Duration
    /// The number of frames in the file, including those not written yet.
    private(set) var frames = 0
    /// The number of frames known to be on the disk.
    private(set) var flushedFrames = 0
    /// The frames that are not known to be on the disk, in order.
    private var unflushed: [Int32] = []
    /// The number of frames written, and the number of bytes of the head and these frames.
    private var writtenFrames = 0
    private var writtenBytes = RecordingFile.headLength
    private var flushedBytes = RecordingFile.headLength
    private let type: RecordingFileType
    private let device: String
    private let program: String
    private let calls: any FileCalls
    /// The open file, or nil once it is closed.
    private var file: OpenFile?
    private var folder: OpenFile?
    /// True if the file's name is known to be on the disk.
    private var isNamed = false

    static let headLength = 512
    /// The number of frames that are encoded together, unless a flush needs fewer. They form whole blocks.
    private static let pieceFrames = 8 * FLACStreamFormat.block

    /// - Parameters:
    ///   - file: an empty file.
    ///   - folder: the folder of the file.
    /// - Throws: `RecordingError` if the head cannot be written.
    init(
        _ file: consuming OpenFile, in folder: consuming OpenFile, format: RecordedFormat, start: Duration,
        settings: RecorderSettings, calls: any FileCalls
    ) throws(RecordingError) {
        path = file.path
        self.file = consume file
        self.folder = consume folder
        self.format = format
        self.start = start
        type = settings.fileType
        device = settings.device.name
        program = settings.program
        self.calls = calls
        try write(head(nil), at: 0)
    }

    /// The size of the file with all frames written so far, in bytes.
    var size: Int { writtenBytes }

    /// True if another program has deleted the file, so that it no longer has a name.
    var isDeleted: Bool { (try? file?.status())?.names == 0 }

    /// Returns the time at which a frame of this file was captured.
    func time(of frame: Int) -> Duration { start + Duration(frames: frame, rate: format.stream.rate) }

    /// Accepts frames, even if the call throws, and writes those that form whole pieces.
    func append(_ samples: ArraySlice<Int32>) throws(RecordingError) {
        unflushed += samples
        frames += samples.count / format.stream.channels
        if frames - writtenFrames >= Self.pieceFrames { try guarded { () throws(RecordingError) in try writeFrames() } }
    }

    /// Waits until everything is on the disk.
    func flush() throws(RecordingError) {
        try guarded { () throws(RecordingError) in
            try writeFrames()
            // A failed sync may have lost the first head.
            if type == .wav || flushedFrames == 0 { try write(head(nil), at: 0) }
            guard !isDeleted else { throw RecordingError("find", path, ENOENT) }
            try attempt("sync") { () throws(FileError) in try file?.syncData() }
            if !isNamed {
                try attempt("sync the directory of") { () throws(FileError) in try folder?.sync() }
                isNamed = true
            }
        }
        unflushed.removeAll(keepingCapacity: true)
        flushedFrames = frames
        flushedBytes = writtenBytes
    }

    /// Completes the file. If this fails, it can be called again.
    func finish(_ reason: RecordingEnd) throws(RecordingError) {
        try flush()
        if type == .wav, (writtenBytes - Self.headLength) % 2 != 0 { try write([0], at: writtenBytes) }
        try write(head(reason), at: 0)
        try attempt("sync") { () throws(FileError) in try file?.syncData() }
    }

    /// Gives the file up. The file keeps the frames that are known to be on the disk, if writing to it is still
    /// possible.
    /// - Returns: the frames that are not in the file.
    func abandon() -> [Int32] {
        let rest = unflushed
        forgetUnflushed()
        (frames, unflushed) = (flushedFrames, [])
        // By now, another file may have this name.
        guard !isDeleted else { return rest }
        if flushedFrames == 0 {
            _ = calls.remove(path)
        } else if (try? file?.truncate(to: flushedBytes)) != nil {
            try? write(head(.storage), at: 0)
            try? file?.syncData()
        }
        return rest
    }

    func close() {
        file = nil
        folder = nil
    }

    private func writeFrames() throws(RecordingError) {
        let channels = format.stream.channels
        while writtenFrames < frames {
            let count = min(frames - writtenFrames, Self.pieceFrames)
            let first = (writtenFrames - flushedFrames) * channels
            let bytes: [UInt8]? = unflushed.withUnsafeBufferPointer { samples in
                guard let start = samples.baseAddress else { return [] }
                return switch type {
                case .flac: FLACStreamFormat.encode(start + first, frames: count, from: writtenFrames, format)
                case .wav: WAVStreamFormat.encode(start + first, frames: count, format)
                }
            }
            guard let bytes else { throw RecordingError(rejected: format, path) }
            try write(bytes, at: writtenBytes)
            writtenFrames += count
            writtenBytes += bytes.count
        }
    }

    /// Runs a function that writes. If it fails, everything that is not known to be on the disk is written again later,
    /// because the kernel discards pages that it could not write.
    private func guarded(_ body: () throws(RecordingError) -> Void) throws(RecordingError) {
        do throws(RecordingError) {
            try body()
        } catch {
            forgetUnflushed()
            throw error
        }
    }

    private func forgetUnflushed() { (writtenFrames, writtenBytes) = (flushedFrames, flushedBytes) }

    private func write(_ bytes: [UInt8], at offset: Int) throws(RecordingError) {
        try attempt("write to") { () throws(FileError) in try file?.write(bytes[...], at: offset) }
    }

    private func attempt(_ operation: String, _ body: () throws(FileError) -> Void) throws(RecordingError) {
        do throws(FileError) { try body() } catch { throw RecordingError(operation, path, error.code) }
    }

    /// - Parameter reason: the reason why the file ends, or nil while the file is being written.
    private func head(_ reason: RecordingEnd?) -> [UInt8] {
        let date = Timestamp.format(start, decimals: 0)
        let end = reason?.description ?? "unfinished"
        // Shorten the name to as many whole characters as certainly fit.
        var name = device
        while name.utf8.count > 128 { name.removeLast() }
        switch type {
        case .flac:
            return FLACStreamFormat.head(
                format, frames: reason == nil ? 0 : frames, program: program,
                tags: [("DATE", date), ("DEVICE", name), ("ENDED", end)], length: Self.headLength)
        case .wav:
            return WAVStreamFormat.head(
                format, data: writtenBytes - Self.headLength,
                tags: [("ICRD", date), ("ISRC", name), ("ICMT", "ended: " + end), ("ISFT", program)],
                length: Self.headLength)
        }
    }
}
