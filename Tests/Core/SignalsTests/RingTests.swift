import Chance
import Configuration
import Foundation
import Signals
import Testing

/// Realistic ring signals, hum and bounces, conditioned as the vendor's configuration file specifies or recommends.
@Suite struct RingTests {
    private static let vendorFile =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/deploy/tacet.conf"

    private func vendorPolicy() throws -> LinePolicy {
        let configuration = try Configuration.load(.file(Self.vendorFile)).configuration
        return try #require(configuration.lines["phone-call"])
    }

    /// What the vendor file recommends for a bell behind a plain optocoupler.
    private func bellPolicy() throws -> LinePolicy {
        let text = try String(contentsOfFile: Self.vendorFile, encoding: .utf8)
        try #require(text.contains("Debounce=5ms with ChatterLimit=300"))
        var policy = try vendorPolicy()
        policy.debounce = .milliseconds(5)
        policy.chatterLimit = 300
        return policy
    }

    /// - Parameter pulses: the times during which the line is asserted, in seconds.
    /// - Returns: each outcome with its time in seconds.
    private func outcomes(of pulses: [ClosedRange<Double>], under policy: LinePolicy) -> [(Double, Conditioner.Output)]
    {
        var line = Conditioner(policy: policy, level: false, at: .zero)
        var outcomes: [(Double, Conditioner.Output)] = []
        for (time, level) in pulses.flatMap({ [($0.lowerBound, true), ($0.upperBound, false)] }) {
            while let deadline = line.deadline, deadline < .seconds(time) {
                outcomes += line.advance(to: deadline).map { (deadline / .seconds(1), $0) }
            }
            outcomes += line.level(level, at: .seconds(time)).map { (time, $0) }
        }
        while let deadline = line.deadline {
            outcomes += line.advance(to: deadline).map { (deadline / .seconds(1), $0) }
        }
        return outcomes
    }

    /// There must be one beginning within 100 ms of the call, one end `ReleaseDelay` after the last burst, and no
    /// fault.
    @Test(arguments: RingSignal.frequencies) func ringIsOneCallWithTheRecommendedSettings(frequency: Double) throws {
        let policy = try bellPolicy()
        for ring in RingSignal.all(frequency) {
            let outcomes = outcomes(of: ring.pulses, under: policy)
            try #require(outcomes.map(\.1) == [.asserted, .deasserted], "\(ring)")
            #expect(outcomes[0].0 < 0.1, "\(ring)")
            // The end of a burst may shorten its last pulse so much that it is ignored.
            let last = try #require(ring.pulses.last { .seconds($0.upperBound - $0.lowerBound) > policy.debounce })
            let delay = (policy.debounce + policy.releaseDelay) / .seconds(1)
            #expect(abs(outcomes[1].0 - last.upperBound - delay) < 0.000_001, "\(ring)")
        }
    }

    /// With the built-in settings, a ringing line is treated as asserted because it chatters, so no music plays between
    /// two pulses.
    @Test(arguments: RingSignal.frequencies)
    func musicDoesNotReturnDuringARingWithTheBuiltInSettings(frequency: Double) throws {
        for ring in RingSignal.all(frequency) where ring.cadence != .single {
            let outcomes = outcomes(of: ring.pulses, under: LinePolicy())
            let begin = try #require(outcomes.first { $0.1 == .asserted || $0.1 == .fault(.chatter) }, "\(ring)")
            #expect(begin.0 < 1, "\(ring)")
            // The signal ends only between two bursts, or after the last one.
            for (end, output) in outcomes where output == .deasserted {
                #expect(!ring.cadence.bursts.contains { $0.contains(end) }, "\(ring) ends at \(end) s")
            }
        }
    }

    @Test(arguments: RingSignal.frequencies) func chatteringRingEndsReleaseDelayAfterItsLastBurst(
        frequency: Double
    ) throws {
        let policy = try vendorPolicy()
        for ring in RingSignal.all(frequency) where ring.cadence != .single {
            let ends = outcomes(of: ring.pulses, under: policy).filter { $0.1 == .deasserted }.map(\.0)
            #expect(ends.count == 1, "\(ring)")
            let last = try #require(ring.pulses.last).upperBound
            #expect(try #require(ends.first) >= last + 5, "\(ring)")
        }
    }

    /// Hum that couples into an idle wire peaks slightly above the input's threshold.
    @Test(arguments: [50.0, 60], [false, true]) func humIsNotACall(frequency: Double, isFullWave: Bool) throws {
        for threshold in [0.8, 0.9, 0.99] {
            let hum = RingSignal(
                frequency: frequency, isFullWave: isFullWave, threshold: threshold, cadence: .twoOnFourOff,
                beginsDark: false)
            #expect(outcomes(of: hum.pulses, under: try bellPolicy()).isEmpty, "\(hum)")
        }
    }

    /// Bounces of a contact that stays open, and of one that closes for a call.
    @Test func bouncesAreNotCalls() throws {
        let policy = try bellPolicy()
        var chance = SplitMix(seed: 1)
        func bounce(at begin: Double) -> [ClosedRange<Double>] {
            let end = begin + Double.random(in: 0.005...0.01, using: &chance)
            var pulses: [ClosedRange<Double>] = []
            var time = begin
            while time < end {
                let closed = Double.random(in: 0.000_1...0.002, using: &chance)
                pulses.append(time...time + closed)
                time += closed + Double.random(in: 0.000_1...0.002, using: &chance)
            }
            return pulses
        }
        for _ in 0..<200 {
            #expect(outcomes(of: (0..<10).flatMap { bounce(at: Double($0) * 3) }, under: policy).isEmpty)
            let call = bounce(at: 1) + [1.02...9] + bounce(at: 9.001)
            let outcomes = outcomes(of: call, under: policy)
            #expect(outcomes.map(\.1) == [.asserted, .deasserted])
            #expect(try #require(outcomes.first).0 < 1.03)
            #expect(try #require(outcomes.last).0 >= 9 + policy.releaseDelay / .seconds(1))
        }
    }
}
