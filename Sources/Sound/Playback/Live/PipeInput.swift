import ALSA
import CRealTime
import Glibc
import Threads
import Time

/// Receives raw audio through a named pipe and delivers it to live inputs.
///
/// A thread reads the pipe. It sleeps while there are no writers. A writer never waits because something
/// else is played, because audio that is not played passes in real time. A writer that is faster than real time, such as `cat`,
/// has to wait. Each writer starts with a whole frame, so half a frame at the end of the last writer is dropped. If
/// several programs write at once, their frames alternate, and each write of up to 4096 bytes stays whole.
///
/// The pipe stays when the thread ends, so that writers can wait for the next reader.
public final class PipeInput: InputReceiver {
    /// The time without any bytes after which audio has ceased. A sender may send in bursts, so it is longer than the
    /// time between two bursts.
    public static let pause = Duration.milliseconds(250)

    /// Creates the pipe and starts the thread.
    /// - Parameters:
    ///   - path: the path of the pipe. Its folder must exist.
    ///   - format: the format of the audio.
    ///   - writers: those who may write to the pipe.
    ///   - inputs: the inputs to deliver to, which is one for each engine.
    ///   - program: the prefix of the thread's name, at most 7 bytes long.
    public init(
        _ path: String, format: LiveFormat, writers: PipeWriters = PipeWriters(), inputs: [LiveInput],
        program: String = "sound"
    ) {
        let mailbox = InputMailbox()
        let reader = PipeReader(path, format: format, writers: writers, inputs: inputs, mailbox: mailbox)
        InputPipe.prepare(path, writers: writers)
        super.init(path, mailbox, program: program) { reader.run() }
    }
}

/// The thread of a `PipeInput`.
// The conformance is unchecked because this class has variables. This is safe because only the thread uses them.
private final class PipeReader: @unchecked Sendable {
    private let mailbox: InputMailbox
    private let path: String
    private let format: LiveFormat
    private let writers: PipeWriters
    private let feeds: [LiveFeed]
    private let folder: FolderChanges
    private let bytes: UnsafeMutableRawPointer
    private var arrivals = ArrivalWatch(pause: PipeInput.pause.wholeNanoseconds)
    private var deliveries: [DeliveryWatch]
    private var failure: InputError?
    /// The time until which the writer is treated as one without a clock.
    private var pacedUntil = 0
    /// The bytes of a frame that has not arrived completely.
    private var partial = 0
    private var retry = Backoff(from: .milliseconds(100), to: .seconds(30))

    /// The most bytes that are read at once.
    private static let blockBytes = 32_768
    /// The least time between two turns. A writer that writes a few bytes at a time would otherwise wake the thread for
    /// each of them.
    private static let shortestTurn = 5_000_000
    /// The time between two turns while there is no room for what a writer sends.
    private static let fullPause = 20_000_000
    /// The time for which a writer that has filled the pipe is treated as one without a clock.
    private static let pacedTime = 5_000_000_000
    /// The time for which a pipe has room, in tenths of a second.
    private static let pipeTenths = 2

    init(_ path: String, format: LiveFormat, writers: PipeWriters, inputs: [LiveInput], mailbox: InputMailbox) {
        self.mailbox = mailbox
        self.path = path
        self.format = format
        self.writers = writers
        feeds = inputs.map { LiveFeed($0, format: format) }
        deliveries = inputs.map { DeliveryWatch($0) }
        folder = FolderChanges(of: path)
        bytes = .allocate(byteCount: Self.blockBytes, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.blockBytes)
    }

    deinit {
        bytes.deallocate()
    }

    private var quits: Bool { mailbox.quits }

    func run() {
        while !quits {
            do throws(InputError) {
                let pipe = try InputPipe(path, writers: writers)
                if failure != nil { mailbox.report(.returned) }
                failure = nil
                retry.restart()
                try serve(pipe)
            } catch {
                fail(error)
            }
        }
    }

    /// Reports a failure once, and waits until it may be over.
    private func fail(_ error: InputError) {
        if failure != error { mailbox.report(.failed(error)) }
        failure = error
        let end = ContinuousClock.now + retry.next()
        // A change of the folder may end the failure.
        folder.watch()
        while case let left = end - ContinuousClock.now, left > .zero, !quits {
            if wait(nil, nanoseconds: left.wholeNanoseconds) == .folder { break }
            conclude(at: Int(realtime_now()))
        }
    }

    /// Reads a pipe until it is no longer in its place.
    private func serve(_ first: InputPipe) throws(InputError) {
        var pipe = first
        folder.watch()
        let size = pipe.reserve(format.stream.rate * format.bytesPerFrame * Self.pipeTenths / 10)
        var turnedAt = 0
        // The pipe may have been replaced before its folder was watched.
        var hasFolderChanged = true
        while !quits {
            if hasFolderChanged, !pipe.isInPlace { return }
            let now = Int(realtime_now())
            // A pipe whose writers wait is not polled before there is room for what they write.
            let room = room(at: now)
            let isFull = room < format.stream.rate / 100
            if isFull, pipe.backlog > 0 { arrivals.note(at: now) }
            let event = wait(
                isFull ? nil : pipe.descriptor,
                nanoseconds: isFull ? min(Self.fullPause, untilDeadline(now) ?? .max) : untilDeadline(now))
            if event == .pipe { waitForTurn(after: turnedAt) }
            hasFolderChanged = event == .folder
            turnedAt = Int(realtime_now())
            for feed in feeds { feed.advance(to: turnedAt) }
            if event == .pipe, try !read(pipe, size: size, at: turnedAt) {
                // The last writer has closed the pipe. A descriptor that is opened anew reports nothing until there is
                // another one. It is opened before this one is closed, so that writers always find a reader.
                partial = 0
                pipe = try InputPipe(path, writers: writers)
                hasFolderChanged = true
            }
            conclude(at: turnedAt)
        }
    }

    /// Waits until the shortest time since the last turn is over.
    private func waitForTurn(after turnedAt: Int) {
        let early = Self.shortestTurn - (Int(realtime_now()) - turnedAt)
        if early > 0 { _ = wait(nil, nanoseconds: early) }
    }

    /// The time until something has to be done although no audio arrives, in nanoseconds, or nil if there is nothing.
    private func untilDeadline(_ now: Int) -> Int? {
        let deadlines = feeds.compactMap(\.deadline) + [arrivals.deadline].compactMap { $0 }
        return deadlines.min().map { max(0, $0 - now) }
    }

    private enum Event { case pipe, folder, time }

    /// Waits for bytes, a change of the folder, the bell, or the end of the time.
    private func wait(_ pipe: Int32?, nanoseconds: Int?) -> Event {
        var entries = [
            pollfd(fd: mailbox.bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: folder.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipe ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // A fraction of a millisecond is rounded up, so that the time is over after the wait.
        let milliseconds = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        mailbox.noteTurn()
        if entries[0].revents != 0 { mailbox.bell.wait(.zero) }
        if entries[1].revents != 0 {
            folder.forget()
            return .folder
        }
        return entries[2].revents != 0 ? .pipe : .time
    }

    /// The number of frames for which all inputs have room.
    private func room(at now: Int) -> Int { feeds.map { $0.room(at: now) }.min() ?? format.stream.rate }

    /// Reads what has arrived, as far as there is room for it.
    /// - Parameter size: the number of bytes for which the pipe has room.
    /// - Returns: false if there are no writers.
    private func read(_ pipe: InputPipe, size: Int, at now: Int) throws(InputError) -> Bool {
        // A writer without a clock fills the pipe again as soon as it can.
        if pipe.backlog + 4096 > size { pacedUntil = now + Self.pacedTime }
        let isPaced = now < pacedUntil
        while true {
            let room = room(at: now) * format.bytesPerFrame
            guard room > 0 else { return true }
            let limit = min(Self.blockBytes - partial, max(room - partial, 1))
            guard let count = pipe.read(into: bytes + partial, limit: limit) else { return true }
            guard count > 0 else { return false }
            arrivals.note(at: now)
            try accept(partial + count, isPaced: isPaced, backlog: pipe.backlog, at: now)
        }
    }

    /// Delivers the whole frames among the bytes, and keeps the rest.
    private func accept(_ count: Int, isPaced: Bool, backlog: Int, at now: Int) throws(InputError) {
        let frames = count / format.bytesPerFrame
        partial = count % format.bytesPerFrame
        guard frames > 0 else { return }
        for feed in feeds {
            do throws(ResamplerError) {
                try feed.accept(
                    bytes, frames: frames, at: now, backlog: backlog / format.bytesPerFrame, isPaced: isPaced)
            } catch {
                throw InputError(path, .convert, code: 0)
            }
        }
        memmove(bytes, bytes + frames * format.bytesPerFrame, partial)
    }

    /// Reports what has begun and ended.
    private func conclude(at now: Int) {
        while let report = arrivals.next(at: now) { mailbox.report(report) }
        mailbox.report(deliveries.look(isArriving: arrivals.isArriving, at: now))
        if let statistics = feeds.first?.statistics { mailbox.post(statistics) }
    }
}

/// Detects when audio arrives and ceases. This is a pure state machine. Times are in nanoseconds.
struct ArrivalWatch {
    private let pause: Int
    private var first: Int?
    private var last = 0
    private var hasReported = false

    init(pause: Int) { self.pause = pause }

    var isArriving: Bool { first != nil }

    /// The time at which audio has ceased if nothing more arrives, or nil if none is arriving.
    var deadline: Int? { first.map { _ in last + pause } }

    /// Records that something has arrived.
    mutating func note(at now: Int) {
        // An end that has not been reported yet is part of the audio.
        if first == nil { first = now }
        last = now
    }

    /// Returns the next report, or nil if there is none.
    mutating func next(at now: Int) -> InputReport? {
        guard let first else { return nil }
        if !hasReported {
            hasReported = true
            return .arrived(at: first)
        }
        guard now - last >= pause else { return nil }
        self.first = nil
        hasReported = false
        return .ceased(at: last)
    }
}

/// Detects that names appear in a pipe's folder or disappear from it.
private final class FolderChanges: Sendable {
    /// Readable when something has changed. It is negative if the system does not allow more watches, so that a pipe
    /// that is removed is not noticed.
    let descriptor: Int32
    private let folder: String

    init(of path: String) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        let end = path.lastIndex(of: "/")
        folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches the folder, which may have been created again since.
    func watch() {
        let events =
            UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)
        inotify_add_watch(descriptor, folder, events)
    }

    func forget() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
