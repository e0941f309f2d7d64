import Playback
import Synchronization
import Threads

/// Reads a library on a thread of its own, as a disk may take its time, or never answer.
final class LibraryLoader: Sendable {
    enum Outcome: Sendable {
        case loaded([Track])
        /// There is nothing to play: why.
        case nothing(String)

        /// Of a disk that takes too long.
        static var unanswered: Outcome { .nothing("the disk with it does not answer") }

        /// None where there is nothing to play.
        var tracks: [Track] { if case .loaded(let tracks) = self { tracks } else { [] } }
    }

    private let outcome = Mutex<Outcome?>(nil)
    private let bell = WakeUp()

    /// - Parameter path: the configured one; nil: there is none.
    init(_ path: String?) {
        guard let path else {
            post(.nothing("no Library= is configured"))
            return
        }
        if NativeThread("tacet-library", { [self] in post(LibraryLoader.load(path)) }) == nil {
            post(.nothing("the system has no more threads: raise TasksMax"))
        }
    }

    /// Readable when it is done.
    var descriptor: Int32 { bell.descriptor }

    /// - Returns: nil where it has not come after that time.
    func wait(_ timeout: Duration) -> Outcome? {
        bell.wait(timeout)
        return outcome.withLock { $0 }
    }

    private func post(_ result: Outcome) {
        outcome.withLock { $0 = result }
        bell.ring()
    }

    private static func load(_ path: String) -> Outcome {
        do throws(LibraryError) {
            let tracks = try Library.load(path).tracks
            return tracks.isEmpty ? .nothing("there is no audio file in \(path)") : .loaded(tracks)
        } catch {
            return .nothing("\(error)")
        }
    }
}
