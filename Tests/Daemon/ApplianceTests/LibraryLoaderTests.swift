import Dispatch
import SoundLab
import Synchronization
import Testing

@testable import Appliance

@Suite(.serialized) struct LibraryLoaderTests {
    /// A disk that answers only when the test allows it, and records its requests.
    private final class Disk: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let begun = DispatchSemaphore(value: 0)
        private let count = Mutex(0)

        func read(_ path: String) -> LibraryLoader.Outcome {
            let number = count.withLock { count in
                count += 1
                return count
            }
            begun.signal()
            gate.wait()
            return .nothing("reading \(number) of \(path)")
        }

        func waitUntilAsked() { begun.wait() }
        func answer() { gate.signal() }
    }

    private func words(_ outcome: LibraryLoader.Outcome?) -> String? {
        if case .nothing(let words)? = outcome { words } else { nil }
    }

    @Test func hungDiskBlocksOnlyOneThread() {
        let disk = Disk()
        var loaders = LibraryLoaders { disk.read($0) }
        let first = loaders.load("/never")
        disk.waitUntilAsked()
        let threads = Process.threads(named: "tacet-library").count
        for _ in 0..<100 { _ = loaders.load("/never").wait(.zero) }
        #expect(Process.threads(named: "tacet-library").count == threads)
        #expect(loaders.load("/never") === first && first.wait(.zero) == nil)
        disk.answer()
        // The library was requested again in the meantime, so only the result that was read after that request is used.
        disk.waitUntilAsked()
        disk.answer()
        #expect(words(first.wait(nil)) == "reading 2 of /never")
    }

    @Test func everyLoadReadsTheLibraryAgain() {
        let disk = Disk()
        var loaders = LibraryLoaders { disk.read($0) }
        for number in 1...2 {
            disk.answer()
            #expect(words(loaders.load("/music").wait(nil)) == "reading \(number) of /music")
        }
    }

    @Test func otherLibrariesLoadWhileOneHangs() {
        let disk = Disk()
        var loaders = LibraryLoaders { path in path == "/never" ? disk.read(path) : .nothing(path) }
        let hung = loaders.load("/never")
        disk.waitUntilAsked()
        #expect(words(loaders.load("/music").wait(nil)) == "/music")
        disk.answer()
        #expect(words(hung.wait(nil)) == "reading 1 of /never")
    }
}
