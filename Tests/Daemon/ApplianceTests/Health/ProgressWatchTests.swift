import Playback
import Testing

@testable import Appliance
@testable import Recording

@Suite struct ProgressWatchTests {
    private func progress(_ render: Int, _ storage: Int) -> EngineProgress {
        EngineProgress(renderTurns: render, storageTurns: storage, underruns: 0)
    }

    @Test func isAliveOnlyAfterATurnOfBothThreads() {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        let result1 = watch.judge(progress(1, 1), at: .zero)
        #expect(result1 == .alive)
        let result2 = watch.judge(progress(2, 1), at: .seconds(1))
        #expect(result2 == .waiting([.storage]))
        let result3 = watch.judge(progress(3, 2), at: .seconds(2))
        #expect(result3 == .alive)
        let result4 = watch.judge(progress(3, 3), at: .seconds(3))
        #expect(result4 == .waiting([.render]))
    }

    @Test(arguments: [
        (progress: (5, 1), hung: [ProgressWatch.Part.storage]), ((1, 5), [.render]), ((1, 1), [.render, .storage]),
    ])
    func hungThreadsAreReportedOnce(progress last: (Int, Int), hung: [ProgressWatch.Part]) {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        let result5 = watch.judge(progress(1, 1), at: .zero)
        #expect(result5 == .alive)
        let last = progress(last.0, last.1)
        let result6 = watch.judge(last, at: .seconds(4))
        #expect(result6 == .waiting(hung))
        let result7 = watch.judge(last, at: .seconds(5))
        #expect(result7 == .hung(hung))
        let result8 = watch.judge(last, at: .seconds(6))
        #expect(result8 == .waiting(hung))
        // Both threads recover and hang again.
        let result9 = watch.judge(progress(9, 9), at: .seconds(7))
        #expect(result9 == .alive)
        // After a late check, the threads are woken first.
        let result10 = watch.judge(progress(9, 9), at: .seconds(12))
        #expect(result10 == .waiting([.render, .storage]))
        let result11 = watch.judge(progress(9, 9), at: .seconds(13))
        #expect(result11 == .hung([.render, .storage]))
    }

    @Test func renderThreadBlockedByItsDeviceCountsAsAlive() {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        _ = watch.judge(progress(1, 1), at: .zero)
        let held = EngineProgress(renderTurns: 1, storageTurns: 2, isHeldByDevice: true, underruns: 0)
        let whileHeld = watch.judge(held, at: .seconds(60))
        #expect(whileHeld == .alive)
        // The device has released the thread, which now hangs elsewhere.
        let asked = watch.judge(progress(1, 3), at: .seconds(64))
        #expect(asked == .waiting([.render]))
        let hung = watch.judge(progress(1, 3), at: .seconds(65))
        #expect(hung == .hung([.render]))
    }

    @Test func countingRestartsWithANewEngine() {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        _ = watch.judge(progress(1, 1), at: .zero)
        watch.startOver(at: .seconds(1))
        let result11 = watch.judge(progress(1, 1), at: .seconds(2))
        #expect(result11 == .alive)
    }

    // MARK: A recorder's threads

    private func recorder(
        _ capture: Int, _ recording: Int, device: Bool = false, disk: Bool = false
    ) -> RecorderProgress {
        RecorderProgress(
            captureTurns: capture, storageTurns: recording, isHeldByDevice: device, isHeldByStorage: disk)
    }

    @Test(arguments: [
        (progress: (5, 1), hung: [ProgressWatch.Part.recording]), ((1, 5), [.capture]),
        ((1, 1), [.capture, .recording]),
    ])
    func hungThreadsOfARecorderAreReportedOnce(progress last: (Int, Int), hung: [ProgressWatch.Part]) {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        let first = watch.judge(progress(1, 1), recorder: recorder(1, 1), at: .zero)
        #expect(first == .alive)
        let last = recorder(last.0, last.1)
        let waiting = watch.judge(progress(2, 2), recorder: last, at: .seconds(4))
        #expect(waiting == .waiting(hung))
        let complaint = watch.judge(progress(3, 3), recorder: last, at: .seconds(5))
        #expect(complaint == .hung(hung))
        let again = watch.judge(progress(4, 4), recorder: last, at: .seconds(6))
        #expect(again == .waiting(hung))
        let recovered = watch.judge(progress(5, 5), recorder: recorder(9, 9), at: .seconds(7))
        #expect(recovered == .alive)
    }

    @Test func engineAndRecorderHangTogether() {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        _ = watch.judge(progress(1, 1), recorder: recorder(1, 1), at: .zero)
        // The threads are woken first.
        _ = watch.judge(progress(1, 2), recorder: recorder(2, 1), at: .seconds(5))
        let hung = watch.judge(progress(1, 2), recorder: recorder(2, 1), at: .seconds(6))
        #expect(hung == .hung([.render, .recording]))
    }

    /// A restart of the service would wait for the same device or the same disk.
    @Test func recorderThatDeviceOrDiskHoldsCountsAsAlive() {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        _ = watch.judge(progress(1, 1), recorder: recorder(1, 1), at: .zero)
        let held = watch.judge(progress(2, 2), recorder: recorder(1, 1, device: true, disk: true), at: .seconds(60))
        #expect(held == .alive)
        _ = watch.judge(progress(3, 3), recorder: recorder(1, 1, device: true), at: .seconds(65))
        let byDevice = watch.judge(progress(3, 3), recorder: recorder(1, 1, device: true), at: .seconds(66))
        #expect(byDevice == .hung([.recording]))
        let byDisk = watch.judge(progress(4, 4), recorder: recorder(1, 2, disk: true), at: .seconds(67))
        #expect(byDisk == .waiting([.capture]))
    }

    @Test func recorderThatAppearsOrIsReplacedCountsFromItsFirstTurns() {
        var watch = ProgressWatch(timeout: .seconds(4), at: .zero)
        _ = watch.judge(progress(1, 1), at: .zero)
        let appears = watch.judge(progress(2, 2), recorder: recorder(0, 0), at: .seconds(60))
        #expect(appears == .alive)
        _ = watch.judge(progress(3, 3), recorder: recorder(900, 900), at: .seconds(61))
        let replaced = watch.judge(progress(4, 4), recorder: recorder(1, 1), at: .seconds(62))
        #expect(replaced == .alive)
        let gone = watch.judge(progress(5, 5), at: .seconds(120))
        #expect(gone == .alive)
        // The new recorder is not compared with the earlier one.
        let successor = watch.judge(progress(6, 6), recorder: recorder(1, 1), at: .seconds(180))
        #expect(successor == .alive)
    }
}
