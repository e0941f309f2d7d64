import Clocks
import DiskLab
import Foundation
import ResumeStore
import Synchronization
import Testing

@testable import Appliance

@Suite struct StateWriterTests {
    private func state(_ position: Int) -> SavedState {
        SavedState(
            savedAt: .zero, intent: "playing", track: "/one.flac", position: .seconds(position), volume: 0,
            shuffleSeed: 1, held: [], episode: nil)
    }

    private func wait(for writer: StateWriter) -> StateWriter.Outcome? {
        var entry = pollfd(fd: writer.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 10_000)
        return writer.takeOutcome()
    }

    @Test func writesTheNewestState() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = ResumeStore(directory: folder)
        let writer = StateWriter(store)
        defer { writer.quit() }
        #expect(writer.writtenAt == nil)
        let start = SystemClock.monotonic.now
        for position in 1...100 { writer.write(state(position), urgently: false) }
        while !writer.isIdle { #expect(wait(for: writer) == .written) }
        #expect(try store.load()?.position == .seconds(100))
        let writtenAt = try #require(writer.writtenAt)
        #expect(writtenAt >= start && writtenAt <= SystemClock.monotonic.now)
    }

    @Test func failedWriteIsReportedAndAbandonedAtTheEnd() throws {
        let writer = StateWriter(ResumeStore(directory: "/nowhere/at/all"))
        writer.write(state(1), urgently: false)
        guard case .failed(let error)? = wait(for: writer) else {
            Issue.record("no failure")
            return
        }
        #expect("\(error)".contains("/nowhere/at/all"))
        #expect(writer.isIdle)
        writer.quit()
    }

    /// A save at a power failure must not wait for the next attempt.
    @Test func onlyAnUrgentStateIsWrittenAtOnceAfterAFailure() throws {
        let disk = LabDisk()
        disk.fails = { $0 == .open || $0 == .create ? EROFS : nil }
        let store = ResumeStore(directory: "/state", calls: disk)
        let writer = StateWriter(store, pause: .seconds(3600))
        defer { writer.quit() }
        writer.write(state(1), urgently: false)
        guard case .failed(let error)? = wait(for: writer) else { throw Failure() }
        #expect("\(error)" == "cannot open /state/state: Read-only file system")
        for position in 2...5 { writer.write(state(position), urgently: false) }
        #expect(writer.isIdle)
        writer.write(state(6), urgently: true)
        writer.write(state(7), urgently: false)
        guard case .failed? = wait(for: writer) else { throw Failure() }
        // After a second failure in a row, there is one more attempt with a new file.
        #expect(disk.counts[.open] == 2 && disk.counts[.create] == 1 && writer.isIdle)
    }

    @Test func retriesAfterThePauseUntilTheWriteSucceeds() throws {
        let disk = LabDisk()
        let failures = Tickets(2)
        disk.fails = { $0 == .syncData || $0 == .sync ? failures.takeOne() ? EIO : nil : nil }
        let store = ResumeStore(directory: "/state", calls: disk)
        let writer = StateWriter(store, pause: .milliseconds(1))
        defer { writer.quit() }
        writer.write(state(1), urgently: false)
        var outcome = wait(for: writer)
        while outcome != .written { outcome = wait(for: writer) }
        #expect(writer.isIdle)
        #expect(try store.load()?.position == .seconds(1))
    }

    /// A card that does not answer delays only the checkpoint, and the newest state is the next one.
    @Test func slowWriteReportsItsDelay() throws {
        let disk = LabDisk()
        let (isIn, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        disk.fails = { call in
            guard call == .sync else { return nil }
            isIn.signal()
            goOn.wait()
            return nil
        }
        let store = ResumeStore(directory: "/state", calls: disk)
        let writer = StateWriter(store)
        #expect(writer.delay == nil)
        writer.write(state(1), urgently: false)
        isIn.wait()
        #expect(try #require(writer.delay) >= .zero)
        for position in 2...9 { writer.write(state(position), urgently: position == 5) }
        #expect(!writer.isIdle && writer.last?.position == .seconds(9))
        writer.quit()
        goOn.signal()
        // The folder is synced. The second state, which needs neither, follows.
        isIn.wait()
        goOn.signal()
        while !writer.isIdle { #expect(wait(for: writer) == .written) }
        #expect(disk.counts[.syncData] == 1)
        #expect(try store.load()?.position == .seconds(9))
    }
}

private struct Failure: Error {}

/// A limited number of tickets, which any thread can take.
private final class Tickets: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func takeOne() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
