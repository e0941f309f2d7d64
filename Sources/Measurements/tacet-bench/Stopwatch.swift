import Glibc

/// Measures the processor time of this process, so that other programs do not count.
enum Stopwatch {
    /// Seconds.
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = processorTime()
        try body()
        return processorTime() - start
    }

    /// The median of an odd number of runs.
    static func median(of runs: Int, _ body: () throws -> Void) rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<runs { times.append(try time(body)) }
        return times.sorted()[runs / 2]
    }

    private static func processorTime() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
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
