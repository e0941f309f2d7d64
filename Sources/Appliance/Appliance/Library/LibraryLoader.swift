import Playback
import Synchronization
import Threads

/// Reads a library on a thread of its own, as a disk may take its time, or never answer.
final class LibraryLoader: Sendable {
    enum Outcome: Sendable {
        case loaded(Library)
        /// There is nothing to play: why.
        case nothing(String)

        /// Of a disk that takes too long.
        static var unanswered: Outcome { .nothing("the disk with it does not answer") }

        /// None where there is nothing to play.
        var tracks: [Track] { if case .loaded(let library) = self { library.tracks } else { [] } }
    }

    private struct Desk {
        var outcome: Outcome?
        /// Whether to read once more before the outcome counts.
        var isToRepeat = false
    }

    /// nil: there is no library.
    let path: String?
    private let desk = Mutex(Desk())
    private let bell = WakeUp()

    /// - Parameters:
    ///   - path: the configured one; nil: there is none.
    ///   - read: reads it, for as long as the disk takes.
    init(_ path: String?, reading read: @escaping @Sendable (String) -> Outcome = LibraryLoader.read) {
        self.path = path
        guard let path else {
            post(.nothing("no Library= is configured"))
            return
        }
        if NativeThread("tacet-library", { [self] in while !post(read(path)) {} }) == nil {
            post(.nothing("the system has no more threads: raise TasksMax"))
        }
    }

    /// Reads once more before the outcome counts: the files may have changed since the reading began.
    /// - Returns: false if it has finished: another has to read.
    func repeatReading() -> Bool {
        desk.withLock { desk in
            guard desk.outcome == nil else { return false }
            desk.isToRepeat = true
            return true
        }
    }

    var isFinished: Bool { desk.withLock { $0.outcome != nil } }

    /// Readable when it is done.
    var descriptor: Int32 { bell.descriptor }

    /// - Parameter timeout: nil: for ever.
    /// - Returns: nil where it has not come after that time.
    func wait(_ timeout: Duration?) -> Outcome? {
        bell.wait(timeout)
        return desk.withLock { $0.outcome }
    }

    /// - Returns: false if it has to read once more.
    @discardableResult
    private func post(_ result: Outcome) -> Bool {
        let counts = desk.withLock { desk in
            guard !desk.isToRepeat else {
                desk.isToRepeat = false
                return false
            }
            desk.outcome = result
            return true
        }
        if counts { bell.ring() }
        return counts
    }

    private static func read(_ path: String) -> Outcome {
        do throws(LibraryError) {
            let library = try Library.load(path)
            guard library.tracks.isEmpty else { return .loaded(library) }
            let unreadable = library.unreadableWords.map { ", and \($0)" } ?? ""
            return .nothing("there is no audio file in \(path)\(unreadable)")
        } catch {
            return .nothing("\(error)")
        }
    }
}

extension Library {
    /// Which of its folders cannot be read, as a clause; nil: all can.
    var unreadableWords: String? {
        guard let first = unreadableFolders.first else { return nil }
        let count = unreadableFolders.count
        let example = "\(first.path) (\(first.message))"
        return count == 1
            ? "the folder \(example) cannot be read" : "\(count) folders cannot be read, such as \(example)"
    }
}
