import ALSA
import Files

/// Writes frames to files. The files follow each other without a gap, and each is complete on the disk up to the last
/// `flush`.
///
/// The writer uses no thread and no clock, so the same frames and times always result in the same bytes. Its calls
/// block while the disk is busy. Use it from one thread at a time.
///
/// **Failures lose nothing.** Frames are kept in memory until they are known to be on the disk. If a call throws, the
/// writer is failing, but it has accepted everything that was passed to it. `retry` continues in the same file or, if
/// that file can no longer be written, in a new one. While the writer is failing, every other call first retries. If
/// the retry fails, the call does nothing and does not even accept the new frames.
///
/// **Names** are the UTC time of the first frame, such as `2026-11-22T14-03-12Z.flac`. They are unique and are never
/// reused while the file exists. Sorting by name gives the order of recording even if the clock has been set back, as
/// `RecordingName` describes.
public final class RecordingWriter {
    /// An event that concerns the files.
    public enum Event: Hashable, Sendable {
        case began(path: String)
        /// - frames: the length of the file.
        case ended(path: String, frames: Int, RecordingEnd)
        /// The oldest recording, or one whose name is ahead of the clock, has been deleted, so that all of them fit
        /// into `RecorderSettings.keep`.
        case removed(path: String, isFromFuture: Bool)
        /// A recording could not be deleted. Recording continues.
        case notRemoved(RecordingError)
    }

    /// Frames of one format that follow one another.
    private struct Piece {
        var samples: ArraySlice<Int32>
        let format: RecordedFormat
        /// The time at which the first frame was captured.
        var since: Duration

        var frames: Int { samples.count / format.stream.channels }

        /// Removes the first frames and returns them.
        mutating func removeFirst(_ count: Int) -> ArraySlice<Int32> {
            let first = samples.prefix(count * format.stream.channels)
            samples = samples.dropFirst(first.count)
            since += Duration(frames: count, rate: format.stream.rate)
            return first
        }
    }

    private let settings: RecorderSettings
    private let folder: RecordingFolder
    private var file: RecordingFile?
    /// The frames that are not in a file yet, in order.
    private var waiting: [Piece] = []
    /// The reason that was passed to a `close` that has not succeeded yet.
    private var ending: RecordingEnd?
    private var events: [Event] = []
    private var cannotRemove = false
    /// True if the last call has failed.
    public private(set) var isFailing = false
    /// The number of frames accepted since the start, including silence.
    public private(set) var recordedFrames = 0

    /// - Parameter calls: the calls to the disk, which tests replace.
    public init(_ settings: RecorderSettings, calls: any FileCalls = SystemFileCalls()) {
        self.settings = settings.limited
        folder = RecordingFolder(self.settings, calls: calls)
    }

    /// The path of the file being written, or nil between two files.
    public var currentFile: String? { file?.path }

    /// Returns the events since the last call.
    public func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Appends frames. If there is no file or its format differs, a new file begins with these frames.
    /// - Parameters:
    ///   - samples: interleaved samples in the lower `format.bits` bits.
    ///   - wallClock: the time at which the first of these frames was captured, since 1970. It is used only if a new
    ///     file begins.
    public func write(
        _ samples: UnsafeBufferPointer<Int32>, format: RecordedFormat, at wallClock: Duration
    ) throws(RecordingError) {
        guard !samples.isEmpty else { return }
        if isFailing { try retry() }
        waiting.append(Piece(samples: Array(samples)[...], format: format, since: wallClock))
        recordedFrames += samples.count / format.stream.channels
        try attempt { () throws(RecordingError) in try advance() }
    }

    /// Appends silence in place of lost frames. All of it is in memory at once, so pass at most a second at a time.
    public func writeSilence(frames: Int, format: RecordedFormat, at wallClock: Duration) throws(RecordingError) {
        guard frames > 0 else { return }
        if isFailing { try retry() }
        let silence = [Int32](repeating: 0, count: frames * format.stream.channels)
        waiting.append(Piece(samples: silence[...], format: format, since: wallClock))
        recordedFrames += frames
        try attempt { () throws(RecordingError) in try advance() }
    }

    /// Waits until everything recorded is on the disk, in a file that can be read to its last frame. The file stays
    /// open.
    public func flush() throws(RecordingError) {
        if isFailing { return try retry() }
        try attempt { () throws(RecordingError) in try flushAll() }
    }

    /// Completes the file. The next frames begin another file.
    public func close(_ reason: RecordingEnd) throws(RecordingError) {
        if isFailing { try retry() }
        guard file != nil else { return }
        ending = reason
        try attempt { () throws(RecordingError) in try advance() }
    }

    /// Retries the operation that has failed, in a new file if necessary.
    public func retry() throws(RecordingError) {
        try attempt { () throws(RecordingError) in try flushSomewhere() }
    }

    private func flushSomewhere() throws(RecordingError) {
        do throws(RecordingError) {
            try flushAll()
        } catch {
            guard let old = file else { throw error }
            if old.isDeleted {
                // Nobody can read a deleted file, and it occupies disk space until it is closed.
                reclaim(old)
            } else {
                // A full disk does not have room for another file either.
                guard error.reason != .full else { throw error }
                try replace(old)
            }
            try flushAll()
        }
    }

    private func attempt(_ body: () throws(RecordingError) -> Void) throws(RecordingError) {
        isFailing = true
        try body()
        isFailing = false
    }

    private func flushAll() throws(RecordingError) {
        try advance()
        if let file, file.frames > file.flushedFrames { try file.flush() }
        makeRoom()
    }

    /// Gives up the frames that cannot be written when the writer is no longer needed.
    /// - Returns: the number of frames that are lost.
    public func abandon() -> Int {
        var lost = waiting.reduce(0) { $0 + $1.frames }
        if let file {
            lost += file.abandon().count / file.format.stream.channels
            end(file, .storage)
        }
        (waiting, ending, isFailing) = ([], nil, false)
        return lost
    }

    /// Moves pending frames to files.
    private func advance() throws(RecordingError) {
        while var piece = waiting.first {
            guard piece.frames > 0 else {
                waiting.removeFirst()
                continue
            }
            if let file, file.format != piece.format { try finish(file, .format) }
            let file = if let open = self.file { open } else { try begin(piece.format, at: piece.since) }
            let length = max(1, settings.segment.frames(atRate: piece.format.stream.rate))
            let samples = piece.removeFirst(min(piece.frames, length - file.frames))
            // The file accepts the frames even if `append` throws.
            waiting[0] = piece
            try file.append(samples)
            if file.frames >= length { try finish(file, .segment) }
            makeRoom()
        }
        if let reason = ending {
            if let file { try finish(file, reason) }
            ending = nil
        }
    }

    private func begin(_ format: RecordedFormat, at start: Duration) throws(RecordingError) -> RecordingFile {
        let new = try folder.create(format, start: start)
        file = new
        events.append(.began(path: new.path))
        makeRoom()
        return new
    }

    private func finish(_ file: RecordingFile, _ reason: RecordingEnd) throws(RecordingError) {
        try file.finish(reason)
        end(file, reason)
    }

    private func end(_ file: RecordingFile, _ reason: RecordingEnd) {
        file.close()
        if file.frames > 0, reason != .deleted { folder.add(file) }
        self.file = nil
        events.append(.ended(path: file.path, frames: file.frames, reason))
    }

    /// Continues in a new file with the frames of the old one that are not known to be on the disk.
    private func replace(_ old: RecordingFile) throws(RecordingError) {
        let new = try folder.create(old.format, start: old.time(of: old.flushedFrames))
        let rest = old.abandon()
        end(old, .storage)
        file = new
        events.append(.began(path: new.path))
        try new.append(rest[...])
    }

    /// Gives up a file that has been deleted and takes its last frames back.
    private func reclaim(_ deleted: RecordingFile) {
        let since = deleted.time(of: deleted.flushedFrames)
        waiting.insert(Piece(samples: deleted.abandon()[...], format: deleted.format, since: since), at: 0)
        end(deleted, .deleted)
    }

    private func makeRoom() {
        var failure: RecordingError?
        folder.makeRoom(for: file?.size ?? 0) { result in
            switch result {
            case .success(let event): events.append(event)
            case .failure(let error): failure = error
            }
        }
        if let failure, !cannotRemove { events.append(.notRemoved(failure)) }
        cannotRemove = failure != nil
    }
}
