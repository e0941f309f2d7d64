import Glibc
import Playback
import Synchronization
import Threads

/// Reads what files say of themselves on a thread of its own, as their disk may take its time; the newest wish wins.
final class TagReader: Sendable {
    struct Card: Hashable, Sendable {
        let file: Track
        let tags: TrackTags?
        /// A picture beside the file.
        let art: String?
    }

    private struct Desk {
        var wish: Track?
        var card: Card?
        var quits = false
    }

    /// What people call an album's picture.
    private static let pictures = ["cover.jpg", "cover.png", "folder.jpg", "folder.png", "front.jpg", "album.jpg"]

    private let desk = Mutex(Desk())
    private let bell = WakeUp()
    private let news = WakeUp()

    init() {
        // Without a thread there are no tags.
        _ = NativeThread("tacet-tags") { [self] in run() }
    }

    // MARK: For control

    /// Readable when there is a card to take.
    var descriptor: Int32 { news.descriptor }

    func read(_ file: Track) {
        desk.withLock { $0.wish = file }
        bell.ring()
    }

    func takeCard() -> Card? {
        news.wait(.zero)
        return desk.withLock { desk in
            defer { desk.card = nil }
            return desk.card
        }
    }

    func quit() {
        desk.withLock { $0.quits = true }
        bell.ring()
    }

    // MARK: The thread

    private func run() {
        while true {
            let (wish, quits) = desk.withLock { desk in
                defer { desk.wish = nil }
                return (desk.wish, desk.quits)
            }
            if let wish {
                let card = Card(file: wish, tags: try? TrackTags.read(wish), art: TagReader.art(beside: wish.path))
                desk.withLock { $0.card = card }
                news.ring()
            } else if quits {
                return
            } else {
                bell.wait(nil)
            }
        }
    }

    private static func art(beside path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return pictures.map { path[...slash] + $0 }.first { access($0, R_OK) == 0 }
    }
}
