import ALSA
import CRealTime
import Synchronization

/// The thread that reads: finds and opens tracks, and keeps the deck being played filled some seconds ahead. However
/// long the storage takes, nobody waits for it.
final class StorageThread: @unchecked Sendable {
    private struct Desk {
        var request: LoadRequest?
        var quits = false
    }

    private let desk = Mutex(Desk())
    private let finder: TrackFinder
    private let settings: EngineSettings
    private let exchange: RenderExchange
    private let inbox: EngineInbox
    private var deck: Deck?
    private var handle: LoadedDeck?
    /// A request that waits for the storage to come back.
    private var unanswered: LoadRequest?
    /// What control knows of.
    private var reportedLoss: StorageLoss?
    /// Pause between two looks for a storage that is gone.
    private static let retry = Duration.milliseconds(500)
    /// What control has been told of the deck.
    private var toldMarks: [ProgrammeMark] = []
    private var hasToldEnd = false

    init(
        finder: TrackFinder, settings: EngineSettings, exchange: RenderExchange, inbox: EngineInbox
    ) {
        self.finder = finder
        self.settings = settings
        self.exchange = exchange
        self.inbox = inbox
        // A search among many files that cannot be played is progress.
        finder.onTry = { exchange.countStorageTurn() }
    }

    // MARK: For control

    /// Asks for a deck; a request that has not been taken up yet is forgotten.
    func request(_ request: LoadRequest) {
        desk.withLock { $0.request = request }
        exchange.storageBell.ring()
    }

    func quit() {
        desk.withLock { $0.quits = true }
        exchange.storageBell.ring()
    }

    // MARK: The thread

    func run() {
        while true {
            let (request, quits) = desk.withLock { desk in
                defer { desk.request = nil }
                return (desk.request, desk.quits)
            }
            if quits { return }
            exchange.countStorageTurn()
            if let request {
                unanswered = nil
                load(request)
            } else if let waiting = unanswered {
                // What is playing comes from elsewhere, perhaps.
                if deck?.feeder.loss == nil, readAhead() { continue }
                exchange.storageBell.wait(Self.retry)
                if !desk.withLock({ $0.request != nil }) { load(waiting) }
            } else if let loss = deck?.feeder.loss {
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
            unanswered = nil
            // It answers, though it may be another disk.
            report(nil)
            inbox.post(.nothingToLoad(request.number))
            return
        case .blocked(let loss):
            unanswered = request
            report(loss)
            return
        }
        unanswered = nil
        report(nil)
        let rate = request.format.rate
        let deck = Deck(
            format: request.format, finder: finder, ahead: max(settings.readAhead.frames(atRate: rate), rate / 2),
            // What is queued in the device may have to be played again, too.
            history: settings.longestFade.frames(atRate: rate) + rate / 2)
        deck.feeder.start(source)
        // As much as is needed to begin.
        deck.feeder.fill(limit: rate / 5)
        let handle = LoadedDeck(deck)
        self.deck = deck
        self.handle = handle
        toldMarks = deck.feeder.marks
        hasToldEnd = false
        inbox.post(.loaded(request.number, handle))
    }

    private func waitForStorage(_ loss: StorageLoss) {
        report(loss)
        exchange.storageBell.wait(Self.retry)
        if deck?.feeder.retry() == true { report(nil) }
    }

    private func report(_ loss: StorageLoss?) {
        guard loss?.reason != reportedLoss?.reason else { return }
        reportedLoss = loss
        inbox.post(loss.map { .storageLost($0) } ?? .storageBack)
    }

    /// Reads a part of what can be read ahead.
    /// - Returns: whether there is more to do.
    private func readAhead() -> Bool {
        guard let deck, let handle else { return false }
        let hasMore = deck.feeder.fill(limit: deck.format.rate / 4)
        deck.feeder.forgetMarks(before: deck.ring.reader.readIndex - deck.ring.history)
        let hasEnded = deck.ring.endIndex != nil
        if deck.feeder.marks != toldMarks || hasEnded != hasToldEnd {
            toldMarks = deck.feeder.marks
            hasToldEnd = hasEnded
            handle.update(toldMarks)
            inbox.post(.deckChanged)
        }
        return hasMore || deck.feeder.loss != nil
    }
}
