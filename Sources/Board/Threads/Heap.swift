import CAlarm

/// The memory that the C library keeps after it has been freed.
public enum Heap {
    /// Makes the C library return memory to the system soon. Call it before there are other threads.
    ///
    /// By default, each of many threads can get its own arena, and each arena keeps what earlier threads leave behind.
    /// In addition, the first large block that is freed raises the size up to which blocks come from the arenas, to as
    /// much as 32 MiB. After years of reconfigurations, a daemon would then keep several times the memory that it uses.
    public static func keepSmall() { heap_keep_small() }

    /// Returns freed memory to the system. It takes as long as it takes to search the freed blocks, which is less than
    /// a millisecond for some megabytes.
    public static func trim() { heap_trim() }
}
