/// Measured values of one thing.
struct Sample {
    private(set) var sorted: [Double]

    init(_ values: some Sequence<Double>) { sorted = values.sorted() }

    var count: Int { sorted.count }
    var median: Double { sorted.isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 }
    var least: Double { sorted.first ?? .nan }
    /// The least value that 99 of 100 do not exceed: of fewer than a hundred values, the greatest.
    var p99: Double { sorted.isEmpty ? .nan : sorted[min(count - 1, (99 * count + 99) / 100 - 1)] }
}
