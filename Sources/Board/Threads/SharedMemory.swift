import CRealTime

/// A number that one thread writes and others read, without a lock. Writes release and reads acquire, so a thread that
/// reads a value also sees everything written before it.
// The functions are inlinable because real-time threads use it for every block of frames.
package struct SharedCounter {
    @usableFromInline let cell: UnsafeMutablePointer<Int>

    /// Creates a counter.
    /// - Parameter cell: a cell that must outlive this value.
    @inlinable @_noLocks @_noAllocation
    package init(_ cell: UnsafeMutablePointer<Int>) {
        self.cell = cell
    }

    @inlinable package var value: Int {
        @_noLocks @_noAllocation get { realtime_load(cell) }
        @_noLocks @_noAllocation nonmutating set { realtime_store(cell, newValue) }
    }
}

/// A sequence lock, which lets one thread post a value of a few words and others read it consistently, without
/// blocking. Readers see only the newest value.
///
/// A read that coincides with a post fails and must be repeated. Therefore, values must be posted much less often than
/// they are read.
package struct Seqlock {
    @usableFromInline let words: UnsafeMutablePointer<Int>
    @usableFromInline let count: Int

    /// Creates a lock.
    /// - Parameter words: `count` + 1 words, which are initially zero and must outlive this value.
    @inlinable package init(_ words: UnsafeMutablePointer<Int>, count: Int) {
        self.words = words
        self.count = count
    }

    @inlinable @_noLocks @_noAllocation
    package func post(_ value: UnsafeRawPointer) {
        realtime_post(words, value, count)
    }

    /// Reads the value.
    /// - Returns: false, with `value` undefined, while the other thread is posting.
    @inlinable @_noLocks @_noAllocation
    package func read(into value: UnsafeMutableRawPointer) -> Bool {
        realtime_read(words, value, count) != 0
    }
}
