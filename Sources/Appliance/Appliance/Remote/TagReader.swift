import Glibc
import Playback
import Synchronization
import Threads

/// Reads what files say of themselves on a thread of its own, as their disk may take its time; the newest wish wins.
final class TagReader: Sendable {
    struct Card: Hashable, Sendable {
        let file: Track
        let tags: TrackTags?
        /// Path of a picture: the file's own, or one beside it.
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

    /// - Parameter pictures: the folder for the pictures out of files; nil: only those beside them are found.
    init(pictures: String? = PictureCache.systemFolder) {
        // Without a thread there are no tags.
        _ = NativeThread("tacet-tags") { [self] in run(PictureCache(folder: pictures)) }
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

    private func run(_ cache: PictureCache) {
        var cache = cache
        while true {
            let (wish, quits) = desk.withLock { desk in
                defer { desk.wish = nil }
                return (desk.wish, desk.quits)
            }
            if let wish {
                let art = cache.publish(EmbeddedPicture.read(wish)) ?? TagReader.art(beside: wish.path)
                let card = Card(file: wish, tags: try? TrackTags.read(wish), art: art)
                desk.withLock { $0.card = card }
                news.ring()
            } else if quits {
                _ = cache.publish(nil)
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
