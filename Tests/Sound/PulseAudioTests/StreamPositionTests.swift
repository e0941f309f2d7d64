import Testing

@testable import PulseAudio

@Suite struct StreamPositionTests {
    private static let second = 1_000_000_000

    /// A stream of 48 kHz whose server has answered at 10 s that it has taken 96,000 frames, 240 of which were not heard.
    private func playing() -> StreamPosition {
        var position = StreamPosition(rate: 48_000, lead: 480)
        position.observe(taken: 96_000, latency: 240, configured: 480, isPlaying: true, at: 10 * Self.second)
        return position
    }

    @Test func interpolatesBetweenAnswersWhileTheServerPlays() {
        let position = playing()
        #expect(position.heard(at: 10 * Self.second) == 95_760)
        #expect(position.heard(at: 10 * Self.second + Self.second / 2) == 95_760 + 24_000)
        #expect(position.taken(at: 10 * Self.second + Self.second / 2) == 95_760 + 24_000 + 480)
    }

    @Test func stopsSoonAfterAServerThatDoesNotAnswer() {
        var position = playing()
        position.asked(at: 11 * Self.second)
        let last = position.heard(at: 11 * Self.second + Self.second / 4)
        #expect(last == 95_760 + 60_000)
        #expect(position.heard(at: 20 * Self.second) == last)
        // The answer continues from the position that the server reports.
        position.observe(taken: 144_480, latency: 480, configured: 480, isPlaying: true, at: 20 * Self.second)
        #expect(position.heard(at: 20 * Self.second + Self.second / 1000) == 144_048)
    }

    @Test func standsStillWhileTheServerDoesNotPlay() {
        var position = playing()
        position.stop(at: 11 * Self.second)
        #expect(position.heard(at: 15 * Self.second) == 143_760)
        #expect(position.taken(at: 15 * Self.second) == 143_760)
    }

    @Test func assumesThatTheServerStartsWithTheFirstFrameUntilItAnswers() {
        var position = StreamPosition(rate: 48_000, lead: 480)
        #expect(position.taken(at: Self.second) == 0)
        position.wrote(at: Self.second)
        #expect(position.taken(at: Self.second) == 480)
        #expect(position.taken(at: Self.second + Self.second / 100) == 960)
        // A server that does not start has not taken everything.
        #expect(position.taken(at: 5 * Self.second) == 5280)
        #expect(position.heard(at: 5 * Self.second) == 0)
    }

    @Test func believesAServerThatTakesMoreThanItHasConfigured() {
        var position = playing()
        position.observe(taken: 144_000, latency: 960, configured: 480, isPlaying: true, at: 11 * Self.second)
        #expect(position.lead == 960)
        for second in 12...100 {
            let taken = 144_000 + (second - 11) * 48_000
            position.observe(taken: taken, latency: 240, configured: 480, isPlaying: true, at: second * Self.second)
        }
        #expect(position.lead == 480)
    }

    @Test func asksAtTheStartEverySecondAndNearTheEnd() {
        var position = StreamPosition(rate: 48_000, lead: 480)
        #expect(position.isAnswerDue(written: 96_000, at: 10 * Self.second))
        position = playing()
        let later = 10 * Self.second + Self.second / 10
        #expect(!position.isAnswerDue(written: 192_000, at: later))
        #expect(position.isAnswerDue(written: 102_000, at: later))
        #expect(position.isAnswerDue(written: 192_000, at: 11 * Self.second))
        position.asked(at: 11 * Self.second)
        #expect(!position.isAnswerDue(written: 192_000, at: 13 * Self.second))
    }
}
