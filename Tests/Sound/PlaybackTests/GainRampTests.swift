import Foundation
import Testing

@testable import Playback

@Suite struct GainRampTests {
    private func curve(from start: Float, to end: Float, over frames: Int) -> [Float] {
        var ramp = GainRamp(gain: start)
        ramp.retarget(to: end, over: frames)
        return (0..<frames).map { _ in ramp.next() }
    }

    @Test(
        arguments: [(Float(0), Float(1)), (1, 0), (1, 0.25), (0.25, 1), (0.1, 0.100_001), (0, 4)],
        [1, 2, 3, 480, 960, 144_000])
    func isMonotonicAndReachesItsTargetExactly(_ gains: (Float, Float), frames: Int) {
        let values = curve(from: gains.0, to: gains.1, over: frames)
        #expect(values.last == gains.1)
        let ordered = [gains.0] + values
        let rises = gains.1 > gains.0
        #expect(zip(ordered, ordered.dropFirst()).allSatisfy { rises ? $0 <= $1 : $0 >= $1 })
    }

    @Test func loudnessIsARaisedCosine() {
        let values = curve(from: 0.5, to: 0.04, over: 1000)
        let (first, last) = (pow(0.5, 0.6), pow(0.04, 0.6))
        for frame in 0..<1000 {
            let x = Double(frame + 1) / 1000
            let loudness = first + (last - first) * (1 - cos(.pi * x)) / 2
            #expect(abs(Double(values[frame]) - pow(loudness, 1 / 0.6)) < 1e-7)
        }
    }

    @Test func slopeIsZeroAtBothEnds() {
        let values = curve(from: 1, to: 0.2, over: 10_000)
        let steps = zip(values, values.dropFirst()).map { abs($0 - $1) }
        let steepest = steps.max() ?? 0
        #expect((steps.first ?? 1) < steepest / 500)
        #expect((steps.last ?? 1) < steepest / 500)
        let bends = zip(steps, steps.dropFirst()).map { abs($0 - $1) }
        #expect((bends.max() ?? 1) < steepest / 1000)
    }

    @Test func staysExactAtRest() {
        var ramp = GainRamp(gain: 0)
        ramp.retarget(to: 1, over: 7)
        for _ in 0..<7 {
            #expect(!ramp.isAtRest)
            _ = ramp.next()
        }
        #expect(ramp.isAtRest)
        #expect((0..<100).allSatisfy { _ in ramp.next() == 1 })
    }

    @Test func retargetingDuringARampStartsFromThePresentGain() {
        var ramp = GainRamp(gain: 1)
        ramp.retarget(to: 0, over: 100)
        for _ in 0..<40 { _ = ramp.next() }
        let turn = ramp.gain
        ramp.retarget(to: 1, over: 100)
        #expect(ramp.remaining == 100)
        #expect(ramp.gain == turn)
        let next = ramp.next()
        #expect(next > turn && next - turn < 0.001)
    }

    @Test func zeroFramesChangeTheGainAtOnceAndInvalidGainsAreSilence() {
        var ramp = GainRamp(gain: 0.3)
        ramp.retarget(to: 0.8, over: 0)
        #expect(ramp.isAtRest && ramp.gain == 0.8)
        ramp.retarget(to: -1, over: 0)
        #expect(ramp.gain == 0)
        ramp.retarget(to: .nan, over: 5)
        #expect(ramp.isAtRest && ramp.gain == 0)
    }

    @Test func skippingEqualsRendering() {
        var one = GainRamp(gain: 0.2)
        one.retarget(to: 0.9, over: 1000)
        var other = one
        for _ in 0..<321 { _ = one.next() }
        other.skip(321)
        #expect(one.gain == other.gain)
        other.skip(5000)
        #expect(other.isAtRest && other.gain == 0.9)
    }

    @Test func conversionToAnotherRateKeepsGainAndRemainingTime() {
        var ramp = GainRamp(gain: 0)
        ramp.retarget(to: 1, over: 48_000)
        for _ in 0..<12_000 { _ = ramp.next() }
        var converted = ramp.converted(from: 48_000, to: 44_100)
        #expect(converted.remaining == 33_075)
        #expect(converted.gain == ramp.gain)
        #expect(abs(converted.next() - ramp.next()) < 1e-4)
        for _ in 1..<33_075 { _ = converted.next() }
        #expect(converted.isAtRest && converted.gain == 1)
    }
}
