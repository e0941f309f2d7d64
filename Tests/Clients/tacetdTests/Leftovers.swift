import Foundation
import Synchronization

/// Folders that may outlive their service, because another service continues to use them. They are removed when the
/// tests end.
enum Leftovers {
    private static let folders = Mutex<[URL]>([])
    private static let isSwept = atexit { Leftovers.remove() } == 0

    static func add(_ folder: URL) {
        if isSwept { folders.withLock { $0.append(folder) } }
    }

    private static func remove() {
        for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
    }
}
