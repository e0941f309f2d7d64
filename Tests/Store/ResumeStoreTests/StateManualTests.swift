import Foundation
import Testing

@testable import ResumeStore

/// The figures about the saved state in tacetd(8) are those of the source.
@Suite struct StateManualTests {
    @Test func manualPageStatesTheSizesOfSlotsAndPages() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("deploy/man/tacetd.8"), encoding: .utf8)
        #expect(StateSlot.count == 2 && page.contains("two slots of \(StateSlot.size >> 10) KiB"))
        #expect(page.contains("one page of \(StateSlot.page >> 10) KiB"))
        let savesPerDay = 86_400 / 5
        #expect(page.contains("\(savesPerDay / 1000),\(savesPerDay % 1000) times a day"))
        #expect(page.contains("writes \((savesPerDay * StateSlot.page + 500_000) / 1_000_000) MB"))
    }
}
