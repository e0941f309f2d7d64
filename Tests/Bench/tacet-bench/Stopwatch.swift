import Clocks
import Glibc

/// Measures either the processor time of this process, which excludes other programs, or the elapsed time.
enum Stopwatch {
    case processor
    case wall

    /// Returns the processor time in seconds.
    static func time(_ body: () throws -> Void) rethrows -> Double { try median(of: 1, body) }

    /// Returns the median of an odd number of runs.
    static func median(of runs: Int, by clock: Stopwatch = .processor, _ body: () throws -> Void) rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<runs {
            let start = clock.now
            try body()
            times.append(clock.now - start)
        }
        return times.sorted()[runs / 2]
    }

    private var now: Double {
        SystemClock.read(self == .processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC) / .seconds(1)
    }
}

enum Figures {
    static func heading(_ text: String) { print("\n\(text)") }

    static func row(_ what: String, _ value: String) {
        print("  " + what + String(repeating: " ", count: max(1, 58 - what.count)) + value)
    }

    static func decimals(_ value: Double, _ digits: Int = 2) -> String {
        let scale = pow(10, Double(digits))
        return "\((value * scale).rounded() / scale)"
    }
}
