import AudioSession
import Configuration
import Foundation
import Systemd
import Testing

@testable import Appliance
@testable import GPIO

@Suite struct WiresTests {
    private let board = FakeBoard()
    private let loop: EventLoop
    private let configuration: Configuration

    init() throws {
        loop = try EventLoop()
        let file = FileManager.default.temporaryDirectory.path + "/tacet-wires-\(UUID().uuidString).conf"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "[Signal phone-call]\nLine=CALL\nEffect=pause\n[Button play]\nLine=PLAY\nCommand=play\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        configuration = try Configuration.load(.file(file), checksLibrary: false).configuration
    }

    private func wires(_ patience: Duration = .zero) throws -> Wires {
        let board = board
        return try Wires(configuration, patience: patience, in: loop) {
            LineReader($0, consumer: "test", system: board)
        }
    }

    @Test func edgesAreReportedInTheirOrder() throws {
        let wires = try wires()
        var edges: [Bool] = []
        wires.onReading = { edges += $0.edges.map(\.level) }
        #expect(wires.levels["phone-call"] == false)
        for level in [true, false, true] { board.edge(level) }
        while edges.count < 3 { try loop.turn(within: nil) }
        #expect(edges == [true, false, true] && wires.levels["phone-call"] == true)
        #expect(wires.held.map(\.title) == ["signal phone-call"])
        #expect(Array(wires.problems.keys) == [.button("play")])
    }

    @Test func lostLineIsReportedAndFoundAgain() throws {
        let wires = try wires()
        var losses: [WireID] = []
        var found: [Bool] = []
        wires.onReading = { losses += $0.losses.map(\.id) }
        wires.onFound = { found += $0.map(\.level) }
        board.unplug()
        while losses.isEmpty { try loop.turn(within: nil) }
        #expect(losses == [.signal("phone-call")] && wires.levels["phone-call"] == nil)
        board.hasChip = true
        board.edge(true)
        wires.chipsMayHaveChanged()
        while found.isEmpty { try loop.turn(within: nil) }
        #expect(found == [true] && wires.levels["phone-call"] == true)
    }

    @Test func releasedLinesCanBeRequestedByASuccessor() throws {
        let wires = try wires()
        #expect(board.held != nil)
        wires.letGo()
        #expect(board.held == nil && wires.held.isEmpty)
    }
}
