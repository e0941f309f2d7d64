import Testing

@testable import Threads

@Suite struct BackoffTests {
    @Test func pausesDoubleUpToTheLongestAndBeginAgain() {
        var backoff = Backoff(from: .milliseconds(50), to: .milliseconds(300))
        #expect((0..<5).map { _ in backoff.next() } == [50, 100, 200, 300, 300].map { .milliseconds($0) })
        backoff.restart()
        #expect(backoff.next() == .milliseconds(50))
    }

    @Test func waitForADeviceEndsWhenItIsOverAndTheNextOneIsLonger() {
        var backoff = Backoff(from: .milliseconds(1), to: .seconds(60))
        let watch = ReturnWatch([])
        let bell = WakeUp()
        watch.wait(bell, &backoff) { false }
        #expect(backoff.next() == .milliseconds(2))
        var questions = 0
        while backoff.next() < .seconds(30) {}
        bell.ring()
        watch.wait(bell, &backoff) {
            questions += 1
            return questions == 2
        }
        #expect(questions == 2)
    }
}
