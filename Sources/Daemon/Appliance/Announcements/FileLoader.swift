import Synchronization
import Threads

/// Reads files on behalf of the control thread. Each request has its own thread, so a disk that never answers does not
/// delay other requests.
///
/// Use it on the control thread only. No caller waits for the threads. The only effect of a thread that hangs is that it
/// occupies one of a limited number of places.
final class FileLoader<Outcome: Sendable> {
    /// The outcomes of the threads. The threads retain this object instead of the loader.
    private final class Outbox: Sendable {
        let bell = WakeUp()
        let outcomes = Mutex<[(number: Int, outcome: Outcome)]>([])

        func post(_ number: Int, _ outcome: Outcome) {
            outcomes.withLock { $0.append((number, outcome)) }
            bell.ring()
        }
    }

    private let thread: String
    private let places: FilePlaces
    private let outbox = Outbox()
    private var count = 0

    /// - Parameter thread: The name of the threads, of at most 15 bytes.
    init(thread: String, places: FilePlaces = .ofProcess) {
        self.thread = thread
        self.places = places
    }

    /// A descriptor that is readable when outcomes are available.
    var descriptor: Int32 { outbox.bell.descriptor }

    /// Begins to read.
    /// - Parameter read: Called once on another thread. It may block.
    /// - Returns: A number that identifies the outcome, or nil if too many files are being read or if no thread can be
    ///   created.
    func begin(_ read: @escaping @Sendable () -> Outcome) -> Int? {
        guard places.take() else { return nil }
        count += 1
        let (number, outbox, places) = (count, outbox, places)
        let thread = NativeThread(thread) {
            let outcome = read()
            places.giveBack()
            outbox.post(number, outcome)
        }
        guard thread != nil else {
            places.giveBack()
            return nil
        }
        return number
    }

    /// Returns the outcomes since the last call.
    func takeOutcomes() -> [(number: Int, outcome: Outcome)] {
        outbox.bell.wait(.zero)
        return outbox.outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }
}

/// A limit on the number of files that are read at once by all loaders that share this object.
final class FilePlaces: Sendable {
    static let ofProcess = FilePlaces(16)

    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    fileprivate func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    fileprivate func giveBack() { free.withLock { $0 += 1 } }
}
