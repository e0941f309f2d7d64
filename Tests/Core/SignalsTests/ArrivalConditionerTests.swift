import Signals
import Testing

@Suite struct ArrivalConditionerTests {
    private static let policy = ArrivalPolicy(
        attack: .milliseconds(100), idle: .seconds(2), settle: .seconds(10))

    private func conditioner(_ policy: ArrivalPolicy = policy, arrives: Bool = false) -> ArrivalConditioner {
        ArrivalConditioner(policy: policy, arrives: arrives, at: .zero)
    }

    @Test func soundsAfterAudioHasArrivedForTheAttack() {
        var input = conditioner()
        input.arrival(true, at: .seconds(1))
        #expect(input.deadline == .milliseconds(1100))
        #expect(input.advance(to: .milliseconds(1099)) == nil)
        #expect(input.advance(to: .milliseconds(1100)) == .began)
        #expect(input.isSounding && input.deadline == nil)
    }

    @Test func arrivalShorterThanTheAttackIsIgnored() {
        var input = conditioner()
        input.arrival(true, at: .zero)
        input.arrival(false, at: .milliseconds(99))
        #expect(input.deadline == nil)
        input.arrival(true, at: .milliseconds(99))
        #expect(input.deadline == .milliseconds(199))
    }

    @Test func ceasesAfterNothingHasArrivedForTheIdleTime() {
        var input = conditioner(arrives: true)
        input.arrival(false, at: .seconds(1))
        input.arrival(true, at: .seconds(2))
        input.arrival(false, at: .seconds(3))
        #expect(input.advance(to: .milliseconds(4999)) == nil)
        #expect(input.advance(to: .seconds(5)) == .ceased)
        #expect(!input.isSounding)
    }

    @Test func automaticInputSettlesBeforeItSoundsAgain() {
        var input = conditioner(arrives: true)
        input.arrival(false, at: .zero)
        #expect(input.advance(to: .seconds(2)) == .ceased)
        input.arrival(true, at: .seconds(3))
        #expect(input.deadline == .seconds(13))
    }

    @Test func inputWhosePlayerIsPausedGoesOnCountingAsSounding() {
        var input = conditioner(arrives: true)
        input.hold(true, at: .seconds(1))
        input.arrival(false, at: .seconds(1))
        #expect(input.advance(to: .seconds(100)) == nil)
        input.hold(false, at: .seconds(100))
        #expect(input.deadline == .seconds(102))
        #expect(input.advance(to: .seconds(102)) == .ceased)
    }

    @Test func holdDoesNotMakeASilentInputSound() {
        var input = conditioner()
        input.hold(true, at: .zero)
        #expect(!input.isSounding && input.deadline == nil)
    }
}
