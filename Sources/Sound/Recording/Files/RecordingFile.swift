import ALSA
import Glibc
import Time

/// A recording that is being written.
///
/// Its first 512 bytes, a sector, hold everything that is not sound, and are only replaced as a whole. What follows only
/// grows. Frames are kept in memory until they are known to be on the disk, so a failed call loses nothing: they are
/// written again, here or to another file.
final class RecordingFile {
    let path: String
    let format: RecordedFormat
    /// When its first frame was captured.
    let start: Duration
    /// Frames in the file, including those not written yet.
    private(set) var frames = 0
    /// Frames known to be on the disk.
    private(set) var flushedFrames = 0
    /// The frames that are not, in order.
    private var unflushed: [Int32] = []
    /// Frames written, and the bytes of head and frames.
    private var writtenFrames = 0
    private var writtenBytes = RecordingFile.headLength
    private var flushedBytes = RecordingFile.headLength
    private let type: RecordingFileType
    private let device: String
    private let calls: any RecordingCalls
    private let descriptor: CInt
    private let folder: CInt
    private var isClosed = false
    /// Whether its name is known to be on the disk.
    private var isNamed = false

    static let headLength = 512
    /// Frames that are encoded together, unless a flush needs fewer: whole blocks.
    private static let pieceFrames = 8 * FLACStreamFormat.block

    /// - Parameters:
    ///   - descriptor: the empty file, and its folder; both are closed by `close`.
    /// - Throws: if its head cannot be written; then both stay open.
    init(
        _ path: String, _ descriptor: CInt, in folder: CInt, format: RecordedFormat, start: Duration,
        settings: RecorderSettings, calls: any RecordingCalls
    ) throws(RecordingError) {
        self.path = path
        self.descriptor = descriptor
        self.folder = folder
        self.format = format
        self.start = start
        type = settings.fileType
        device = settings.device.name
        self.calls = calls
        do throws(RecordingError) {
            try write(head(nil), at: 0)
        } catch {
            isClosed = true
            throw error
        }
    }

    deinit { close() }

    /// The bytes of the file with all its frames, as far as they are written.
    var size: Int { writtenBytes }

    /// Whether it has been deleted by another program: it has no name any more.
    var isDeleted: Bool { calls.names(descriptor) == 0 }

    /// When a frame of this file was captured.
    func time(of frame: Int) -> Duration { start + Duration(frames: frame, rate: format.stream.rate) }

    /// Takes frames over, whatever happens, and writes what makes whole pieces.
    func append(_ samples: ArraySlice<Int32>) throws(RecordingError) {
        unflushed += samples
        frames += samples.count / format.stream.channels
        if frames - writtenFrames >= Self.pieceFrames { try guarded { () throws(RecordingError) in try writeFrames() } }
    }

    /// Waits until everything is on the disk.
    func flush() throws(RecordingError) {
        try guarded { () throws(RecordingError) in
            try writeFrames()
            // A failed sync can have lost the first one.
            if type == .wav || flushedFrames == 0 { try write(head(nil), at: 0) }
            guard calls.names(descriptor) != 0 else { throw RecordingError("find", path, Int(ENOENT)) }
            try check(calls.syncData(descriptor), "sync")
            if !isNamed {
                try check(calls.sync(folder), "sync the directory of")
                isNamed = true
            }
        }
        unflushed.removeAll(keepingCapacity: true)
        flushedFrames = frames
        flushedBytes = writtenBytes
    }

    /// Completes the file. It can be called again if it fails.
    func finish(_ reason: RecordingEnd) throws(RecordingError) {
        try flush()
        if type == .wav, (writtenBytes - Self.headLength) % 2 != 0 { try write([0], at: writtenBytes) }
        try write(head(reason), at: 0)
        try check(calls.syncData(descriptor), "sync")
    }

    /// Gives the file up: it keeps what is known to be on the disk, if it can still be written at all.
    /// - Returns: the frames that it does not keep.
    func abandon() -> [Int32] {
        let rest = unflushed
        forgetUnflushed()
        (frames, unflushed) = (flushedFrames, [])
        // Another file can have its name by now.
        guard !isDeleted else { return rest }
        if flushedFrames == 0 {
            _ = calls.remove(path)
        } else if calls.truncate(descriptor, to: flushedBytes) >= 0 {
            try? write(head(.storage), at: 0)
            _ = calls.syncData(descriptor)
        }
        return rest
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        calls.close(descriptor)
        calls.close(folder)
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

    /// After a failure, everything that is not known to be on the disk is written again: the kernel forgets pages that it
    /// could not write.
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
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                calls.write(descriptor, UnsafeRawBufferPointer(rebasing: all[done...]), at: offset + done)
            }
            if count == -Int(EINTR) { continue }
            // Nothing written and no error: it would never end.
            guard count != 0 else { throw RecordingError("write to", path, Int(EIO)) }
            try check(count, "write to")
            done += count
        }
    }

    private func check(_ result: Int, _ operation: String) throws(RecordingError) {
        if result < 0 { throw RecordingError(operation, path, result) }
    }

    /// - Parameter reason: nil while it is being written.
    private func head(_ reason: RecordingEnd?) -> [UInt8] {
        let date = Timestamp.format(start, decimals: 0)
        let end = reason?.description ?? "unfinished"
        // Whole characters of it, as many as there is surely room for.
        var name = device
        while name.utf8.count > 128 { name.removeLast() }
        switch type {
        case .flac:
            return FLACStreamFormat.head(
                format, frames: reason == nil ? 0 : frames,
                tags: [("DATE", date), ("DEVICE", name), ("ENDED", end)], length: Self.headLength)
        case .wav:
            return WAVStreamFormat.head(
                format, data: writtenBytes - Self.headLength,
                tags: [("ICRD", date), ("ISRC", name), ("ICMT", "ended: " + end), ("ISFT", "Tacet")],
                length: Self.headLength)
        }
    }
}
