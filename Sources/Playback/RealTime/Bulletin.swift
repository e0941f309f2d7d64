import CRealTime

/// A value of a few words that one thread posts and others read whole, without a lock: only the newest counts.
///
/// Whoever posts must be faster than readers wait for: a reader that comes in the middle gets nothing, and comes again.
struct Bulletin {
    private let words: UnsafeMutablePointer<Int>
    private let count: Int

    /// - Parameter words: `count` + 1 of them, all zero at first; they outlive this.
    init(_ words: UnsafeMutablePointer<Int>, count: Int) {
        self.words = words
        self.count = count
    }

    @_noLocks @_noAllocation
    func post(_ value: UnsafeRawPointer) {
        realtime_post(words, value, count)
    }

    /// - Returns: false, with `value` spoilt, where somebody is posting.
    @_noLocks @_noAllocation
    func read(into value: UnsafeMutableRawPointer) -> Bool {
        realtime_read(words, value, count) != 0
    }
}
