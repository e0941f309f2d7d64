/// A fixed piece of memory for samples.
final class SampleBlock {
    let samples: UnsafeMutablePointer<Float>
    /// Samples that fit.
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
    }

    deinit {
        samples.deallocate()
    }
}
