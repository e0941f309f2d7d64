import Playback
import Threads

/// Reads a library on a thread of its own, because a disk can be slow, or never answer. For control's thread.
final class LibraryLoader {
    enum Outcome: Sendable {
        case loaded(Library)
        /// There is nothing to play; contains the reason.
        case nothing(String)

        /// The disk takes too long.
        static var unanswered: Outcome { .nothing("the disk with it has not answered yet") }

        /// Empty if there is nothing to play.
        var tracks: [Track] { if case .loaded(let library) = self { library.tracks } else { [] } }
    }

    private struct Request: Sendable {
        let path: String?
        /// The tracks in use: others must contain one that can be played, or they count as nothing. nil: they need not.
        let replaced: [Track]?
    }

    private struct Reader: MailboxWorker {
        let read: @Sendable (String) -> Outcome

        func handle(_ request: Request) -> MailboxReply<Outcome> {
            let outcome = request.path.map(read) ?? .nothing("no Library= is configured")
            guard let replaced = request.replaced, case .loaded(let library) = outcome, library.tracks != replaced,
                let obstacle = library.obstacle(within: LibraryLoader.timeout)
            else { return .done(outcome) }
            return .done(.nothing(obstacle))
        }
    }

    /// How long to look for a track that can be played; less than a reload waits.
    private static let timeout = Duration.seconds(8)

    /// nil: there is no library.
    let path: String?
    private let reader: MailboxThread<Request, Outcome>
    private var outcome: Outcome?

    /// - Parameters:
    ///   - path: the configured one; nil: there is none.
    ///   - tracks: those in use, if other ones may replace them only if they can be played.
    ///   - read: reads it, for as long as the disk takes.
    init(
        _ path: String?, replacing tracks: [Track]? = nil,
        reading read: @escaping @Sendable (String) -> Outcome = LibraryLoader.read
    ) {
        self.path = path
        reader = MailboxThread(
            "tacet-library", lifetime: .whileBusy, outcomes: .newestRequest,
            unavailable: .nothing("the system has no more threads: raise TasksMax")
        ) { Reader(read: read) }
        reader.send(Request(path: path, replaced: tracks))
    }

    /// Reads once more before the outcome counts: the files may have changed since the reading began.
    /// - Returns: false if it has finished: then a new loader must read.
    func repeatReading(replacing tracks: [Track]? = nil) -> Bool {
        reader.sendIfBusy(Request(path: path, replaced: tracks))
    }

    var isFinished: Bool { reader.isIdle }

    /// Readable when it has finished, until `wait` returns the outcome.
    var descriptor: Int32 { reader.descriptor }

    /// - Parameter timeout: nil: without a limit.
    /// - Returns: nil if it has not finished by then.
    func wait(_ timeout: Duration?) -> Outcome? {
        if outcome == nil { outcome = reader.takeOutcome(within: timeout) }
        return outcome
    }

    static func read(_ path: String) -> Outcome {
        do throws(LibraryError) {
            let library = try Library.load(path)
            guard library.tracks.isEmpty else { return .loaded(library) }
            let reasons = [library.unreadableWords, library.unplayableWords].compactMap { $0 }.map { ", and \($0)" }
            return .nothing("there is no audio file in \(path)\(reasons.joined())")
        } catch {
            return .nothing("\(error)")
        }
    }
}

extension Library {
    /// Which of its folders and playlists cannot be read, as a clause; nil: all can.
    var unreadableWords: String? {
        guard let first = unreadable.first else { return nil }
        let example = "\(first.path) (\(first.message))"
        guard unreadable.count > 1 else { return "the \(first.kind.noun) \(example) cannot be read" }
        let present = Set(unreadable.map(\.kind))
        let kinds = [LibraryError.Kind.folder, .playlist, .file].filter(present.contains).map { $0.noun + "s" }
            .joined(separator: " and ")
        return "\(unreadable.count) \(kinds) cannot be read, such as \(example)"
    }

    /// Which of its files are of a kind that cannot be played, as a clause; nil: none.
    var unplayableWords: String? { unplayable.isEmpty ? nil : "\(unplayable)" }
}

extension LibraryError.Kind {
    fileprivate var noun: String {
        switch self {
        case .folder: "folder"
        case .playlist: "playlist"
        case .file: "file"
        }
    }
}
