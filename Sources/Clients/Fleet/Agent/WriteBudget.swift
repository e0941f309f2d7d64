/// Limits what the broker can make a board write to its disk in any hour, because flash memory wears out. It has no
/// side effects.
public struct WriteBudget: Hashable, Sendable {
    private struct Write: Hashable {
        let time: Duration
        let bytes: Int
    }

    /// The maximum number of bytes and of files in any hour.
    public static let mostBytes = 32 << 20
    public static let mostFiles = 256
    private static let hour = Duration.seconds(3600)

    /// The writes of the last hour.
    private var writes: [Write] = []

    public init() {}

    /// Returns true if a file of this many bytes may be written now. In that case, it is treated as written.
    public mutating func admits(_ bytes: Int, at now: Duration) -> Bool {
        writes.removeAll { now - $0.time >= WriteBudget.hour }
        guard writes.count < WriteBudget.mostFiles,
            writes.reduce(bytes, { $0 + $1.bytes }) <= WriteBudget.mostBytes
        else { return false }
        writes.append(Write(time: now, bytes: bytes))
        return true
    }
}
