import Systemd
import Testing

@Suite struct RepetitionLimiterTests {
    private func verdicts(
        _ count: Int, every pause: Duration, _ limiter: inout RepetitionLimiter
    ) -> [RepetitionLimiter.Verdict] {
        (0..<count).map { limiter.happens(at: .seconds(100) + pause * $0) }
    }

    @Test func firstFewEntriesOfABurstAreLogged() {
        var limiter = RepetitionLimiter(burst: 3)
        #expect(verdicts(5, every: .seconds(1), &limiter) == [.logged, .logged, .loggedLast, .dropped, .dropped])
    }

    @Test func afterABurstOneEntryAnHourIsLoggedWithTheNumberDropped() {
        var limiter = RepetitionLimiter(burst: 3)
        // An entry occurs every ten minutes for two hours and a half.
        let all = verdicts(16, every: .seconds(600), &limiter)
        #expect(Array(all[0..<3]) == [.logged, .logged, .loggedLast])
        #expect(all[6] == .loggedAfter(3) && all[12] == .loggedAfter(5))
        #expect(all[3...].filter { $0 == .dropped }.count == 11)
    }

    @Test func rareEntriesAreAlwaysLogged() {
        var limiter = RepetitionLimiter(burst: 3)
        #expect(verdicts(50, every: .seconds(3600), &limiter).allSatisfy { $0 == .logged })
    }

    @Test func floodIsLoggedOnceASecond() {
        var limiter = RepetitionLimiter(burst: 100, pace: .everySecond)
        // A thousand entries occur each second for ten seconds.
        let all = verdicts(10_000, every: .milliseconds(1), &limiter)
        #expect(all[..<99].allSatisfy { $0 == .logged } && all[99] == .loggedLast)
        let later = all[100...].filter { $0 != .dropped }
        #expect(later == [.loggedAfter(900)] + [RepetitionLimiter.Verdict](repeating: .loggedAfter(999), count: 8))
        // Button presses at a later time are all logged.
        #expect(limiter.happens(at: .seconds(300)) != .dropped)
    }

    @Test func burstIsLoggedAgainAfterQuietHours() {
        var limiter = RepetitionLimiter(burst: 3)
        _ = verdicts(9, every: .seconds(1), &limiter)
        let later = Duration.seconds(100 + 4 * 3600)
        #expect(limiter.happens(at: later) == .loggedAfter(6))
        #expect(limiter.happens(at: later) == .logged)
    }
}
