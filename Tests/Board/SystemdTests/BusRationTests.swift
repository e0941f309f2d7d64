import Testing

@testable import Systemd

/// The answers to callers while some of them send queries all the time.
@Suite struct BusRationTests {
    private var ration = BusRation(at: .zero)

    /// Sends a query, and records the time of the answer if there is one.
    private mutating func ask(
        _ sender: String, _ spent: Duration = .milliseconds(1), bytes: Int = 0, at now: Duration
    ) -> Bool {
        guard ration.judge(sender, at: now) == .answer else { return false }
        ration.note(.init(time: spent, bytes: bytes), for: sender)
        return true
    }

    @Test mutating func occasionalQuestionsAreAlwaysAnswered() {
        for second in 0..<600 {
            #expect(ask("a", .milliseconds(200), bytes: 100_000, at: .seconds(second)))
        }
    }

    @Test mutating func floodOfOneCallerGetsAnEighthOfTheTime() {
        // There is a query each millisecond, and each answer takes a millisecond.
        let answered = (0..<100_000).count { ask("flood", at: .milliseconds($0)) }
        #expect(answered >= 12_300 && answered <= 12_800)
    }

    @Test mutating func floodOfOneCallerGetsAnEighthOfAMebibyteEachSecond() {
        let answered = (0..<100_000).count { ask("flood", .zero, bytes: 7680, at: .milliseconds($0)) }
        // 4 MiB are in stock, and the header of each answer counts as well.
        #expect(abs((answered * 8192 >> 10) - (4096 + 12_800)) <= 300)
    }

    @Test mutating func otherFrequentCallerIsAnsweredDuringAFlood() {
        var answered = 0
        for millisecond in 0..<60_000 {
            _ = ask("flood", at: .milliseconds(millisecond))
            if millisecond % 100 == 99 { answered += ask("panel", at: .milliseconds(millisecond)) ? 1 : 0 }
        }
        #expect(answered == 600)
    }

    @Test mutating func occasionalCallerIsAnsweredDuringAFloodOfSeveralCallers() {
        var answered = 0
        for millisecond in 0..<60_000 {
            _ = ask("flood \(millisecond % 8)", at: .milliseconds(millisecond))
            if millisecond % 1000 == 999 { answered += ask("panel", at: .milliseconds(millisecond)) ? 1 : 0 }
        }
        #expect(answered == 60)
    }

    @Test(arguments: [250, 100_000]) mutating func allCallersTogetherGetThreeEighthsOfTheTime(callers: Int) {
        let answered = (0..<100_000).count { ask(":1.\($0 % callers)", at: .milliseconds($0)) }
        #expect(answered >= 36_800 && answered <= 38_300)
    }

    @Test mutating func floodIsRefusedOnceASecondAndOtherwiseIgnored() {
        #expect(ask("flood", .seconds(60), at: .zero))
        for _ in 0..<2 { #expect(ration.judge("other", at: .zero) != .ignore) }
        ration.note(.init(time: .seconds(60)), for: "other")
        let verdicts = (1..<3000).map { ration.judge("flood", at: .milliseconds($0)) }
        #expect(verdicts.count { $0 == .refuse } == 3 && verdicts.count { $0 == .answer } == 0)
        #expect(verdicts[0] == .refuse && verdicts[1000] == .refuse && verdicts[2000] == .refuse)
    }

    @Test mutating func nothingIsAnsweredWhileTheBusIsBehind() {
        #expect(ration.judge("panel", isBehind: true, at: .zero) == .refuse)
        #expect(ration.judge("panel", isBehind: true, at: .milliseconds(1)) == .ignore)
        #expect(ration.judge("panel", at: .milliseconds(2)) == .answer)
    }
}
