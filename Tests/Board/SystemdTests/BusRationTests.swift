import Testing

@testable import Systemd

/// The answers to callers while one of them sends queries all the time.
@Suite struct BusRationTests {
    private var ration = BusRation(at: .zero)

    /// Sends a query, and records the time of the answer if there is one.
    private mutating func ask(_ sender: String, _ spent: Duration = .milliseconds(1), at now: Duration) -> Bool {
        guard ration.judge(sender, at: now) == .answer else { return false }
        ration.note(spent, for: sender, at: now)
        return true
    }

    @Test mutating func occasionalQuestionsAreAlwaysAnswered() {
        for second in 0..<600 {
            #expect(ask("a", .milliseconds(400), at: .seconds(second)))
        }
    }

    @Test mutating func floodGetsHalfOfTheTime() {
        // There is a query each millisecond, and each answer takes a millisecond.
        let answered = (0..<100_000).count { ask("flood", at: .milliseconds($0)) }
        #expect(answered >= 50_000 && answered <= 50_600)
    }

    @Test mutating func occasionalCallerIsAnsweredDuringAFlood() {
        var answered = 0
        for millisecond in 0..<60_000 {
            _ = ask("flood", at: .milliseconds(millisecond))
            if millisecond % 1000 == 999 { answered += ask("panel", at: .milliseconds(millisecond)) ? 1 : 0 }
        }
        #expect(answered == 60)
    }

    @Test mutating func quarterOfTheTimeIsReservedForCommands() {
        // Each query comes from another connection.
        let answered = (0..<100_000).count { ask(":1.\($0)", at: .milliseconds($0)) }
        #expect(answered >= 75_000 && answered <= 75_900)
    }

    @Test mutating func floodIsRefusedOnceASecondAndOtherwiseIgnored() {
        // These two calls use up the common share and the reserve.
        for _ in 0..<2 { ration.note(.seconds(60), for: "flood", at: .zero) }
        let verdicts = (1..<3000).map { ration.judge("flood", at: .milliseconds($0)) }
        #expect(verdicts.count { $0 == .refuse } == 2 && verdicts.count { $0 == .answer } == 0)
        #expect(verdicts[999] == .refuse && verdicts[1999] == .refuse)
    }
}
