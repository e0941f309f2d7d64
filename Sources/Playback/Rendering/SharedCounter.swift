import CRealTime

/// A number that one thread writes and others read, without a lock. Whoever sees it sees all that was written before.
struct SharedCounter {
    private let cell: UnsafeMutablePointer<Int>

    /// - Parameter cell: outlives this.
    @_noLocks @_noAllocation
    init(_ cell: UnsafeMutablePointer<Int>) {
        self.cell = cell
    }

    var value: Int {
        @_noLocks @_noAllocation get { realtime_load(cell) }
        @_noLocks @_noAllocation nonmutating set { realtime_store(cell, newValue) }
    }
}
