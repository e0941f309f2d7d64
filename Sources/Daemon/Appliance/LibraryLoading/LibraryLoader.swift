import Playback
import Threads

/// Reads a library on a separate thread, because a disk may be slow or never answer. Use it on the control thread only.
final class LibraryLoader {
    enum Outcome: Sendable {
        case loaded(Library)
        /// There is nothing to play, for this reason.
        case nothing(String)

        /// The disk takes too long.
        static var unanswered: Outcome { .nothing("the disk with it has not answered yet") }

        /// The tracks, which are empty if there is nothing to play.
        var tracks: [Track] { if case .loaded(let library) = self { library.tracks } else { [] } }
        /// The playlists, of which there are none if there is nothing to play.
        var playlists: LibraryPlaylists {
            if case .loaded(let library) = self { library.playlists } else { LibraryPlaylists() }
        }
        /// The tracks of the choice in progress, which are empty if there is none or nothing of it can be read.
        var chosen: [Track] { if case .loaded(let library) = self { library.chosen } else { [] } }
    }

    private struct Request: Sendable {
        let path: String?
        /// The tracks in use. Other tracks may replace them only if at least one of the others is playable. Nil if that
        /// is not required.
        let replaced: [Track]?
        /// The name of the choice in progress, or nil if there is none.
        let choice: String?
    }

    private struct Reader: MailboxWorker {
        let read: @Sendable (String) -> Outcome

        func handle(_ request: Request) -> MailboxReply<Outcome> {
            let outcome = choosing(request, request.path.map(read) ?? .nothing("no Library= is configured"))
            guard let replaced = request.replaced, case .loaded(let library) = outcome, library.tracks != replaced,
                let obstacle = library.obstacle(within: LibraryLoader.timeout)
            else { return .done(outcome) }
            return .done(.nothing(obstacle))
        }

        /// Adds the tracks of the choice in progress. If nothing of it can be read, there are none.
        private func choosing(_ request: Request, _ outcome: Outcome) -> Outcome {
            guard let choice = request.choice, let path = request.path, case .loaded(var library) = outcome else {
                return outcome
            }
            let (tracks, limit) = (library.tracks, LibraryLoader.timeout)
            library.chosen = (try? Library.choose(choice, in: path, tracks: tracks, within: limit)) ?? []
            return .loaded(library)
        }
    }

    /// The longest time to look for a track that can be played. It is less than the time for which a reload waits.
    private static let timeout = Duration.seconds(8)

    /// The path, or nil if there is no library.
    let path: String?
    private let reader: MailboxThread<Request, Outcome>
    private var outcome: Outcome?

    /// - Parameters:
    ///   - path: The configured path, or nil if there is none.
    ///   - tracks: The tracks in use, if other tracks may replace them only if they can be played.
    ///   - choice: The name of the choice in progress, or nil if there is none.
    ///   - read: Reads the library for as long as the disk takes.
    init(
        _ path: String?, replacing tracks: [Track]? = nil, choice: String? = nil,
        reading read: @escaping @Sendable (String) -> Outcome = LibraryLoader.read
    ) {
        self.path = path
        reader = MailboxThread(
            "tacet-library", lifetime: .whileBusy, outcomes: .newestRequest,
            unavailable: .nothing("the system cannot start another thread: raise TasksMax=")
        ) { Reader(read: read) }
        reader.send(Request(path: path, replaced: tracks, choice: choice))
    }

    /// Reads once more before the outcome applies, because the files may have changed since the reading began.
    /// - Returns: False if it has finished. In this case, a new loader must read.
    func repeatReading(replacing tracks: [Track]? = nil, choice: String? = nil) -> Bool {
        reader.sendIfBusy(Request(path: path, replaced: tracks, choice: choice))
    }

    var isFinished: Bool { reader.isIdle }

    /// A descriptor that is readable when it has finished, until `wait` returns the outcome.
    var descriptor: Int32 { reader.descriptor }

    /// - Parameter timeout: The time to wait, or nil for no limit.
    /// - Returns: The outcome, or nil if it has not finished by then.
    func wait(_ timeout: Duration?) -> Outcome? {
        if outcome == nil { outcome = reader.takeOutcome(within: timeout) }
        return outcome
    }

    static func read(_ path: String) -> Outcome {
        do throws(LibraryError) {
            var library = try Library.load(path)
            library.playlists = LibraryPlaylists(of: path, library.tracks)
            guard library.tracks.isEmpty else { return .loaded(library) }
            let reasons = [library.unreadableWords, library.unplayableWords].compactMap { $0 }.map { ", and \($0)" }
            return .nothing("there is no audio file in \(path)\(reasons.joined())")
        } catch {
            return .nothing("\(error)")
        }
    }
}

extension Library {
    /// The folders and playlists that cannot be read, as a clause, or nil if all can be read.
    var unreadableWords: String? {
        guard let first = unreadable.first else { return nil }
        let example = "\(first.path) (\(first.message))"
        guard unreadable.count > 1 else { return "the \(first.kind.noun) \(example) cannot be read" }
        let present = Set(unreadable.map(\.kind))
        let kinds = [LibraryError.Kind.folder, .playlist, .file].filter(present.contains).map { $0.noun + "s" }
            .joined(separator: " and ")
        return "\(unreadable.count) \(kinds) cannot be read, such as \(example)"
    }

    /// The files whose kinds cannot be played, as a clause, or nil if there are none.
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
