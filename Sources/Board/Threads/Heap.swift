import CAlarm

/// How much memory the C library keeps of what has been freed.
public enum Heap {
    /// Makes the C library return memory to the system soon. Call it before there are other threads.
    ///
    /// By default each of many threads can get an arena of its own, and each arena keeps what a generation of them leaves
    /// behind. Besides, the first large block that is freed raises the size up to which blocks come from the arenas, to as
    /// much as 32 MiB. A daemon that is reconfigured for years then keeps several times of what it uses.
    public static func keepSmall() { heap_keep_small() }

    /// Returns what has been freed to the system. Takes as long as it takes to look through the freed blocks, which is
    /// less than a millisecond for some megabytes.
    public static func trim() { heap_trim() }
}
