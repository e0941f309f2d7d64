import ALSA
import CRealTime
import Synchronization

/// The thread that finds and opens tracks, and keeps the current buffer filled a few seconds ahead. No other thread
/// waits for this thread, however long the storage takes.
// The conformance is unchecked because this class has variables. This is safe because only its own thread uses them,
// and `mailbox` is protected by a lock.
final class StorageThread: @unchecked Sendable {
    private struct Mailbox {
        var request: LoadRequest?
        var quits = false
    }

    private let mailbox = Mutex(Mailbox())
    private let finder: TrackFinder
    private let settings: EngineSettings
    private let exchange: RenderExchange
    private let inbox: EngineInbox
    private var buffer: PlaybackBuffer?
    private var handle: LoadedBuffer?
    /// A request that waits for the storage to return.
    private var blockedRequest: LoadRequest?
    /// The loss last reported to control.
    private var reportedLoss: StorageLoss?
    /// The pause between two attempts to reach lost storage.
    private static let retry = Duration.milliseconds(500)
    /// The marks and the end last reported to control.
    private var reportedMarks: [TrackMark] = []
    private var hasReportedEnd = false

    init(
        finder: TrackFinder, settings: EngineSettings, exchange: RenderExchange, inbox: EngineInbox
    ) {
        self.finder = finder
        self.settings = settings
        self.exchange = exchange
        self.inbox = inbox
        // Count each attempt to open a file as progress, because many files may be unplayable.
        finder.onTry = { exchange.countStorageTurn() }
    }

    // MARK: For control

    /// Requests a buffer. It replaces an earlier request that the thread has not started yet.
    func request(_ request: LoadRequest) {
        mailbox.withLock { $0.request = request }
        exchange.storageBell.ring()
    }

    func quit() {
        mailbox.withLock { $0.quits = true }
        exchange.storageBell.ring()
    }

    // MARK: The thread

    func run() {
        while true {
            let (request, quits) = mailbox.withLock { mailbox in
                defer { mailbox.request = nil }
                return (mailbox.request, mailbox.quits)
            }
            if quits { return }
            exchange.countStorageTurn()
            if let request {
                blockedRequest = nil
                load(request)
            } else if let waiting = blockedRequest {
                // The current buffer may come from a storage that is still available, so continue to fill it.
                if buffer?.prefetcher.loss == nil, readAhead() { continue }
                exchange.storageBell.wait(Self.retry)
                if !mailbox.withLock({ $0.request != nil }) { load(waiting) }
            } else if let loss = buffer?.prefetcher.loss {
                waitForStorage(loss)
            } else if !readAhead() {
                exchange.storageBell.wait(nil)
            }
        }
    }

    private func load(_ request: LoadRequest) {
        let source: TrackSource
        switch finder.search(for: request.track, at: request.position, request.direction) {
        case .found(let found): source = found
        case .none:
            blockedRequest = nil
            // The storage responds, although it may be another disk.
            report(nil)
            inbox.post(.nothingToLoad(request.number))
            return
        case .blocked(let loss):
            blockedRequest = request
            report(loss)
            return
        }
        blockedRequest = nil
        report(nil)
        let rate = request.format.rate
        let buffer = PlaybackBuffer(
            format: request.format, finder: finder, ahead: max(settings.readAhead.frames(atRate: rate), rate / 2),
            // The frames queued in the device may also have to be played again. Only a few frames are queued while a
            // fade-out is being rendered, so the larger of both values is enough.
            history: max(settings.longestFade, settings.longestQueue).frames(atRate: rate) + rate / 2)
        buffer.prefetcher.start(source)
        // Fill only the part that is needed to start playback.
        buffer.prefetcher.fill(limit: rate / 5)
        let handle = LoadedBuffer(buffer)
        self.buffer = buffer
        self.handle = handle
        reportedMarks = buffer.prefetcher.marks
        hasReportedEnd = false
        inbox.post(.loaded(request.number, handle))
    }

    private func waitForStorage(_ loss: StorageLoss) {
        report(loss)
        exchange.storageBell.wait(Self.retry)
        if buffer?.prefetcher.retry() == true { report(nil) }
    }

    private func report(_ loss: StorageLoss?) {
        guard loss?.reason != reportedLoss?.reason else { return }
        reportedLoss = loss
        inbox.post(loss.map { .storageLost($0) } ?? .storageReturned)
    }

    /// Reads ahead a part of the frames for which the buffer has room.
    /// - Returns: true if there is more to do.
    private func readAhead() -> Bool {
        guard let buffer, let handle else { return false }
        let hasMore = buffer.prefetcher.fill(limit: buffer.format.rate / 4)
        buffer.prefetcher.forgetMarks(before: buffer.ring.reader.readIndex - buffer.ring.history)
        let hasEnded = buffer.ring.endIndex != nil
        if buffer.prefetcher.marks != reportedMarks || hasEnded != hasReportedEnd {
            reportedMarks = buffer.prefetcher.marks
            hasReportedEnd = hasEnded
            handle.update(reportedMarks)
            inbox.post(.bufferChanged)
        }
        return hasMore || buffer.prefetcher.loss != nil
    }
}
