import Foundation

/// A ringing voltage behind an optocoupler, in the form in which a line receives it.
struct RingSignal: CustomStringConvertible {
    /// The frequency of the ringing voltage, in Hz.
    var frequency: Double
    /// True if the optocoupler conducts in both half-waves, because of a rectifier or two LEDs.
    var isFullWave: Bool
    /// The voltage at which the optocoupler begins to conduct, as a fraction of the peak. Zener diodes and long lines
    /// raise it.
    var threshold: Double
    var cadence: Cadence
    /// True if the voltage begins with the half-wave in which a half-wave optocoupler is dark.
    var beginsDark: Bool

    /// The pattern in which the telephone rings.
    enum Cadence: String, CaseIterable {
        case oneOnFourOff, twoOnFourOff, double, single

        /// The bursts of a call, in seconds from its beginning.
        var bursts: [ClosedRange<Double>] {
            switch self {
            case .oneOnFourOff: bursts([0...1], every: 5, times: 4)
            case .twoOnFourOff: bursts([0...2], every: 6, times: 3)
            case .double: bursts([0...0.4, 0.6...1], every: 3, times: 4)
            case .single: [0...0.4]
            }
        }

        private func bursts(
            _ pattern: [ClosedRange<Double>], every period: Double, times: Int
        ) -> [ClosedRange<Double>] {
            var bursts: [ClosedRange<Double>] = []
            for time in 0..<times {
                let begin = Double(time) * period
                for burst in pattern { bursts.append((begin + burst.lowerBound)...(begin + burst.upperBound)) }
            }
            return bursts
        }
    }

    var description: String {
        "\(frequency) Hz, \(isFullWave ? "full" : "half")-wave, threshold \(threshold), \(cadence), "
            + (beginsDark ? "dark first" : "bright first")
    }

    /// The turn-off time of the phototransistor, in seconds.
    private static let turnOff = 0.000_2

    /// The times during which the line is asserted, in seconds.
    var pulses: [ClosedRange<Double>] {
        var pulses: [ClosedRange<Double>] = []
        let half = 1 / frequency / 2
        let dark = asin(threshold) / (2 * .pi * frequency)
        for burst in cadence.bursts {
            for wave in 0..<Int((burst.upperBound - burst.lowerBound) / half + 1) {
                guard isFullWave || wave.isMultiple(of: 2) != beginsDark else { continue }
                let begin = burst.lowerBound + Double(wave) * half
                guard begin + dark < burst.upperBound else { continue }
                let on = begin + dark
                let off = min(begin + half - dark, burst.upperBound) + Self.turnOff
                if let last = pulses.last, on <= last.upperBound {
                    pulses[pulses.count - 1] = last.lowerBound...max(off, last.upperBound)
                } else {
                    pulses.append(on...off)
                }
            }
        }
        return pulses
    }

    static let frequencies = [50.0 / 3, 20, 25, 50]

    /// Returns every kind of ring at this frequency.
    static func all(_ frequency: Double) -> [RingSignal] {
        var rings: [RingSignal] = []
        for (isFullWave, beginsDark) in [(false, false), (false, true), (true, false)] {
            for threshold in [0.02, 0.1, 0.3, 0.5, 0.6] {
                for cadence in Cadence.allCases {
                    rings.append(
                        RingSignal(
                            frequency: frequency, isFullWave: isFullWave, threshold: threshold, cadence: cadence,
                            beginsDark: beginsDark))
                }
            }
        }
        return rings
    }
}
