import AudioSession
import Configuration
import Testing

@testable import Appliance
@testable import Supervisor

@Suite struct FollowerGateTests {
    private let scene = StateSnapshot(after: [])
    private var gate = FollowerGate()

    /// Passes a report, whose time distinguishes it from others.
    private mutating func pass(_ number: Int, isComplete: Bool, at now: Duration) -> [Int] {
        let report = Report(time: .seconds(number), cause: .event(.command(.pause)))
        return numbers(gate.pass(report, scene, isComplete: isComplete, at: now))
    }

    private mutating func open(isComplete: Bool, at now: Duration) -> [Int] {
        numbers(gate.open(isComplete: isComplete, at: now))
    }

    private func numbers(_ passed: [(report: Report, scene: StateSnapshot)]) -> [Int] {
        passed.map { Int($0.report.time / .seconds(1)) }
    }

    @Test mutating func completeRecordingHoldsNothingBack() {
        #expect(pass(1, isComplete: true, at: .zero) == [1])
        #expect(!gate.isClosed && gate.deadline == nil)
        #expect(open(isComplete: false, at: .seconds(9)) == [])
    }

    @Test mutating func reportsWaitInOrderForTheCompleteRecording() {
        #expect(pass(1, isComplete: false, at: .seconds(5)) == [])
        #expect(gate.isClosed && gate.deadline == .seconds(6))
        // The deadline of the first report remains.
        #expect(pass(2, isComplete: false, at: .milliseconds(5900)) == [])
        #expect(gate.deadline == .seconds(6))
        #expect(open(isComplete: false, at: .milliseconds(5999)) == [])
        #expect(open(isComplete: true, at: .milliseconds(5999)) == [1, 2])
        #expect(!gate.isClosed && open(isComplete: true, at: .seconds(6)) == [])
    }

    /// A report never overtakes those before it.
    @Test mutating func reportAfterACompleteRecordingFollowsEarlierReports() {
        #expect(pass(1, isComplete: false, at: .zero) == [])
        #expect(pass(2, isComplete: true, at: .milliseconds(10)) == [1, 2])
    }

    @Test mutating func hungDiskDelaysReportsForASecond() {
        #expect(pass(1, isComplete: false, at: .zero) == [])
        #expect(open(isComplete: false, at: .seconds(1)) == [1])
        #expect(!gate.isClosed)
        // The next one waits for the same time again.
        #expect(pass(2, isComplete: false, at: .seconds(2)) == [] && gate.deadline == .seconds(3))
        #expect(pass(3, isComplete: false, at: .seconds(3)) == [2, 3])
    }
}
