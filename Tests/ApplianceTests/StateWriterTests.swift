import Foundation
import ResumeStore
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

    @Test func theNewestIsWritten() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = ResumeStore(directory: folder)
        let writer = StateWriter(store)
        defer { writer.quit() }
        for position in 1...100 { writer.write(state(position)) }
        while !writer.isIdle { #expect(wait(for: writer) == .written) }
        #expect(try store.load()?.position == .seconds(100))
    }

    @Test func whatCannotBeWrittenIsToldAndGivenUpAtTheEnd() throws {
        let writer = StateWriter(ResumeStore(directory: "/nowhere/at/all"))
        writer.write(state(1))
        guard case .failed(let error)? = wait(for: writer) else {
            Issue.record("no failure")
            return
        }
        #expect("\(error)".contains("/nowhere/at/all"))
        #expect(writer.isIdle)
        writer.quit()
    }
}
