import CAlarm

/// Controls how much freed memory the C library keeps.
public enum Heap {
    /// Makes the C library return memory to the system soon. Call this before other threads exist.
    ///
    /// By default, each of many threads can get its own arena, and each arena keeps the memory that earlier threads
    /// have freed. In addition, freeing a large block raises the maximum size of the blocks that come from the arenas,
    /// to as much as 32 MiB. After years of reconfigurations, a daemon would keep several times as much memory as it
    /// uses.
    public static func keepSmall() { heap_keep_small() }

    /// Returns freed memory to the system. The call searches the freed blocks, which takes less than a millisecond for
    /// a few megabytes.
    public static func trim() { heap_trim() }
}
