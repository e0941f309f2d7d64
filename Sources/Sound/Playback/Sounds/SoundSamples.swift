import Glibc

/// Samples in memory that comes directly from the system and is returned to it. malloc could keep the megabytes of a
/// sound locked in memory after they were freed, and a growing array would need several times that size.
final class SoundSamples {
    private(set) var samples: UnsafeMutablePointer<Float>
    private(set) var count = 0
    private var capacity: Int

    /// - Parameter capacity: the likely number of samples, which is at least 1. The capacity grows if more is needed.
    init(capacity: Int) {
        self.capacity = capacity
        samples = Self.map(capacity)
    }

    deinit { munmap(samples, Self.bytes(capacity)) }

    /// Appends samples.
    /// - Parameter limit: the maximum number of samples that will be stored.
    func append(_ source: UnsafePointer<Float>, count added: Int, limit: Int) {
        if count + added > capacity { grow(to: max(count + added, min(2 * capacity, limit))) }
        (samples + count).initialize(from: source, count: added)
        count += added
    }

    /// Returns unused memory to the system.
    func trim() {
        let (used, all) = (Self.bytes(max(1, count)), Self.bytes(capacity))
        guard used < all else { return }
        munmap(UnsafeMutableRawPointer(samples) + used, all - used)
        capacity = max(1, count)
    }

    private func grow(to size: Int) {
        let larger = Self.map(size)
        larger.initialize(from: samples, count: count)
        munmap(samples, Self.bytes(capacity))
        (samples, capacity) = (larger, size)
    }

    private static func map(_ capacity: Int) -> UnsafeMutablePointer<Float> {
        let memory = mmap(nil, bytes(capacity), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { preconditionFailure("no memory left for a sound") }
        return memory.bindMemory(to: Float.self, capacity: capacity)
    }

    /// Returns the number of bytes for this many samples, rounded up to whole pages.
    private static func bytes(_ capacity: Int) -> Int {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        return (capacity * MemoryLayout<Float>.stride + page - 1) / page * page
    }
}
