import Testing

@testable import MQTT

@Suite struct SilenceWatchTests {
    private let start = ContinuousClock.now

    @Test func brokerThatAnswersIsAskedAgain() {
        var watch = SilenceWatch(.seconds(30), from: start)
        #expect(watch.advance(to: start + .seconds(29)) == .nothing)
        #expect(watch.advance(to: start + .seconds(30)) == .ask)
        #expect(watch.advance(to: start + .seconds(31)) == .nothing)
        watch.hear()
        #expect(watch.advance(to: start + .seconds(60)) == .ask)
    }

    @Test func brokerThatDoesNotAnswerIsSilentAfterTwiceTheInterval() {
        var watch = SilenceWatch(.seconds(30), from: start)
        watch.hear()
        #expect(watch.advance(to: start + .seconds(30)) == .ask)
        #expect(watch.advance(to: start + .seconds(59)) == .nothing)
        #expect(watch.advance(to: start + .seconds(60)) == .isSilent)
    }
}
