import Testing

@testable import MQTT

/// The pauses before attempts to connect.
@Suite struct ReconnectBackoffTests {
    /// With the time of an attempt, a board is connected again within two seconds of the broker's return.
    @Test func pausesDoNotGrowWhileTheBrokerCannotBeReached() {
        var backoff = ReconnectBackoff()
        let pauses = (0..<1000).map { _ in backoff.next(isReached: false) }
        #expect(pauses.allSatisfy { $0 >= .milliseconds(500) && $0 <= .milliseconds(1500) })
        // The boards of a fleet do not return at the same moment.
        for tenth in 5..<15 {
            let range = Duration.milliseconds(100 * tenth)...Duration.milliseconds(100 * tenth + 100)
            #expect(pauses.count { range.contains($0) } > 50, "\(range)")
        }
    }

    @Test func pausesGrowToAMinuteIfTheBrokerEndsEveryAttempt() {
        var backoff = ReconnectBackoff()
        // Attempts that did not reach the broker in between do not change this.
        let pauses = (0..<10).map { _ in
            _ = backoff.next(isReached: false)
            return backoff.next()
        }
        for (pause, seconds) in zip(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]) {
            #expect(pause >= .seconds(seconds) && pause <= .seconds(seconds) * 1.5)
        }
    }
}
