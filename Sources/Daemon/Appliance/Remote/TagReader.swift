import Glibc
import Playback
import Threads

/// Reads the tags and pictures of files on a separate thread, because their disk may be slow.
final class TagReader: Sendable {
    struct Card: Hashable, Sendable {
        let file: Track
        let tags: TrackTags?
        /// The path of a picture, which is the file's own or one beside it.
        let art: String?
    }

    private struct Reader: MailboxWorker {
        var cache: PictureCache

        mutating func handle(_ file: Track) -> MailboxReply<Card?> {
            let art = cache.publish(EmbeddedPicture.read(file)) ?? TagReader.art(beside: file)
            return .done(Card(file: file, tags: try? TrackTags.read(file), art: art))
        }

        mutating func finish() { _ = cache.publish(nil) }
    }

    /// The usual names of an album's picture.
    private static let pictures = ["cover.jpg", "cover.png", "folder.jpg", "folder.png", "front.jpg", "album.jpg"]

    /// The maximum size of a picture in bytes.
    private static let largestPicture = 8 << 20

    private let reader: MailboxThread<Track, Card?>

    /// - Parameter pictures: The folder for the pictures from tags, or nil to use only the pictures beside the files.
    init(pictures: String? = PictureCache.systemFolder) {
        // If there is no thread, there are no tags.
        reader = MailboxThread("tacet-tags", unavailable: nil) { Reader(cache: PictureCache(folder: pictures)) }
    }

    /// A descriptor that is readable when a card is available.
    var descriptor: Int32 { reader.descriptor }

    /// Reads the tags of a file. Only the newest file is read.
    func read(_ file: Track) { reader.send(file) }

    func takeCard() -> Card? { reader.takeOutcome() ?? nil }

    /// Removes the published picture after the last file has been read.
    func quit() { reader.end() }

    /// Returns the path of a picture beside a file, or nil if the name of the folder is not text.
    private static func art(beside file: Track) -> String? {
        let path = file.pathBytes
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")),
            let folder = String(validating: path[...slash], as: UTF8.self)
        else { return nil }
        return pictures.map { folder + $0 }.first(where: isPicture)
    }

    /// Returns true if clients can load the file at this path and if it is not too large for them.
    private static func isPicture(_ path: String) -> Bool {
        var status = stat()
        return access(path, R_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_size <= largestPicture
    }
}
