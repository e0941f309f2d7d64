import DiskLab
import Glibc
import Testing

@testable import ResumeStore

/// The state file on a simulated disk that fails.
@Suite struct StateFileTests {
    private let disk = LabDisk()
    private var store: ResumeStore { ResumeStore(directory: "/state", calls: disk) }

    private func state(_ position: Int) -> SavedState {
        var state = SavedStateTests.state
        state.position = .seconds(position)
        return state
    }

    private func position() throws -> Duration? { try store.load()?.position }

    @Test func checkpointTakesOneWriteAndOneSync() throws {
        let file = StateFile(store)
        try file.write(state(0))
        disk.resetCounts()
        for position in 1...100 { try file.write(state(position)) }
        #expect(disk.counts == [.write: 100, .syncData: 100, .inspect: 100])
        #expect(disk.bytesWritten == 100 * StateSlot.page)
    }

    @Test func writesAlternateBetweenTheSlots() throws {
        let file = StateFile(store)
        for position in 1...7 {
            try file.write(state(position))
            guard case .slot(let slot, let sequence, _)? = try store.read()?.place else { return }
            #expect(slot == (position + 1) % 2 && sequence == position)
        }
    }

    @Test func newProcessContinuesTheSequenceNumbers() throws {
        try StateFile(store).write(state(1))
        try StateFile(store).write(state(2))
        let file = StateFile(store)
        try file.write(state(3))
        #expect(try store.read()?.place == .slot(0, sequence: 3, other: .older(sequence: 2)))
    }

    @Test func writingReplacesAFileOfVersion1() throws {
        disk["/state/state"] = SavedStateTests.firstVersion(state(5))
        #expect(try position() == .seconds(5))
        try StateFile(store).write(state(6))
        #expect(try store.read()?.place == .slot(0, sequence: 1, other: .empty))
        #expect(try position() == .seconds(6) && disk["/state/state.damaged"] == nil)
    }

    @Test(arguments: [
        [UInt8](repeating: 0, count: 32 << 10), [], Array("rubbish".utf8), Array("tacet-state 3 what next?\n".utf8),
        Array("tacet-state 1\nintent playing\n".utf8),
    ]) func writingSetsAnUnreadableFileAside(bytes: [UInt8]) throws {
        disk["/state/state"] = bytes
        #expect(throws: StateError.self) { try store.load() }
        // The reader should have set the damaged file aside. It has not, so the writer does.
        try StateFile(store).write(state(1))
        #expect(try position() == .seconds(1))
        #expect(disk["/state/state.damaged"] == bytes)
    }

    @Test func recreatesARemovedFile() throws {
        let file = StateFile(store)
        try file.write(state(1))
        disk["/state/state"] = nil
        try file.write(state(2))
        #expect(try position() == .seconds(2))
    }

    @Test func continuesInAFileThatReplacedTheOpenOne() throws {
        let file = StateFile(store)
        for position in 1...5 { try file.write(state(position)) }
        disk["/state/state"] = SavedStateTests.firstVersion(state(50))
        try file.write(state(6))
        #expect(try position() == .seconds(6))
    }

    @Test func repeatsInterruptedCalls() throws {
        var isInterrupted = false
        disk.fails = { _ in
            isInterrupted.toggle()
            return isInterrupted ? EINTR : nil
        }
        let file = StateFile(store)
        for position in 1...5 { try file.write(state(position)) }
        disk.fails = { _ in nil }
        #expect(try position() == .seconds(5))
    }

    /// Whichever call fails, however often and with whichever of these codes, no written state may be lost, the error
    /// must have the code, and writing must succeed again as soon as the disk works.
    @Test(arguments: LabDisk.Call.allCases, [EIO, ENOSPC, EROFS, EACCES, EDQUOT, ENODEV, EPERM])
    func failedCallsLoseNoWrittenState(call: LabDisk.Call, code: CInt) throws {
        for times in 1...6 {
            for start in [0, 1, 2, 5] {
                let disk = LabDisk(seed: UInt64(times * 10 + start))
                let store = ResumeStore(directory: "/state", calls: disk)
                let file = StateFile(store)
                for position in 0..<start { try file.write(state(position)) }
                var durable: Duration? = start == 0 ? nil : .seconds(start - 1)
                var left = times
                disk.fails = { failing in
                    guard failing == call, left > 0 else { return nil }
                    left -= 1
                    return code
                }
                for position in start..<start + 8 {
                    do throws(StateError) {
                        try file.write(state(position))
                        durable = .seconds(position)
                    } catch {
                        guard case .file(let error) = error else { throw error }
                        #expect(error.code == code)
                    }
                }
                #expect(durable == .seconds(start + 7), "\(call) \(code) \(times) \(start)")
                disk.fails = { _ in nil }
                disk.cutPower()
                #expect(try store.load()?.position == durable, "\(call) \(code) \(times) \(start)")
            }
        }
    }

    /// One sector of the file can never be written again.
    @Test func recreatesTheFileAfterTwoFailedSyncs() throws {
        let file = StateFile(store)
        for position in 1...3 { try file.write(state(position)) }
        disk.fails = { $0 == .syncData ? EIO : nil }
        #expect(throws: StateError.self) { try file.write(state(4)) }
        try file.write(state(5))
        disk.cutPower()
        disk.fails = { _ in nil }
        #expect(try position() == .seconds(5))
    }

    /// After a failed sync, data read from the file may exist only in memory, so the next process must not rely on it.
    @Test func newProcessDoesNotTrustDataFromAFailedSync() throws {
        for seed in 0..<500 {
            let disk = LabDisk(seed: UInt64(seed))
            let store = ResumeStore(directory: "/state", calls: disk)
            let file = StateFile(store)
            for position in 1...2 + seed % 2 { try file.write(state(position)) }
            let durable = Duration.seconds(2 + seed % 2)
            disk.fails = { $0 == .syncData ? EIO : nil }
            #expect(throws: StateError.self) { try file.write(state(4)) }
            disk.fails = { _ in nil }
            // The process ends, another starts, and the power fails during its first write.
            disk.killProgram()
            disk.callsLeft = 1 + seed % 12
            _ = try? StateFile(store).write(state(5))
            disk.cutPower()
            let read = try #require(try store.load()?.position, "seed \(seed)")
            #expect([durable, .seconds(4), .seconds(5)].contains(read), "seed \(seed): \(read)")
        }
    }

    /// The power is cut in each call of each write. The unsynced sectors that survive are random.
    @Test func powerCutInAnyCallKeepsTheOldOrTheNewState() throws {
        var outcomes: [String: Int] = [:]
        for seed in 0..<4000 {
            let disk = LabDisk(seed: UInt64(seed))
            let store = ResumeStore(directory: "/state", calls: disk)
            let file = StateFile(store)
            let writes = seed % 5
            for position in 0..<writes { try file.write(state(position)) }
            if seed % 3 == 0 { disk.killProgram() }
            let next = seed % 3 == 0 ? StateFile(store) : file
            disk.callsLeft = 1 + seed / 5 % 20
            let isWritten = (try? next.write(state(writes))) != nil
            disk.cutPower()
            let read = try store.load()?.position
            let old: Duration? = writes == 0 ? nil : .seconds(writes - 1)
            #expect(read == .seconds(writes) || !isWritten && read == old, "seed \(seed)")
            outcomes[read == old ? "old" : "new", default: 0] += 1
            // The next write succeeds.
            try StateFile(store).write(state(99))
            #expect(try store.load()?.position == .seconds(99))
        }
        print(
            "Power cuts in any call of a write: of 4000, \(outcomes["old"] ?? 0) left the old state,"
                + " \(outcomes["new"] ?? 0) the new one")
        #expect(outcomes["old"] ?? 0 > 500 && outcomes["new"] ?? 0 > 500)
    }

    @Test func rejectsAStateThatIsTooLongAndKeepsTheFile() throws {
        let file = StateFile(store)
        try file.write(state(1))
        var long = state(2)
        long.track = String(repeating: "x", count: StateSlot.size)
        #expect { try file.write(long) } throws: { "\($0)".contains("give the track a shorter path") }
        try file.write(state(3))
        #expect(try store.read()?.place == .slot(1, sequence: 2, other: .older(sequence: 1)))
    }
}
