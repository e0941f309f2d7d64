/// Decides how many frames are written at a time, so that they reach Tacet in real time although they arrive in bursts.
/// This type is pure.
///
/// The clocks of the station and of this machine differ. Therefore the pace follows the buffer by at most 0.05 %, which
/// Tacet follows in turn by resampling. Otherwise the buffer would run dry after some hours.
public struct StreamPace: Sendable {
    private let rate: Double
    private var last: Duration?
    /// The frames that are due. It is fractional.
    private var owed = 0.0

    /// The greatest difference of the pace from real time.
    public static let adjustment = 0.0005
    /// The time for which frames may be overdue. After a longer standstill, the oldest ones are dropped.
    public static let longestDelay = Duration.seconds(1)

    public init(rate: Int) { self.rate = Double(rate) }

    /// Returns the number of frames that are due.
    /// - Parameter buffered: the time for which the buffer lasts.
    /// - Returns: the frames to drop because they are too late, and those to write after them.
    public mutating func due(at now: Duration, buffered: Duration) -> (dropped: Int, written: Int) {
        guard let last else {
            last = now
            return (0, 0)
        }
        let target = StreamMachine.bufferTime
        let deviation = min(max((buffered - target) / target, -1), 1)
        owed += max(0, (now - last) / .seconds(1)) * rate * (1 + deviation * Self.adjustment)
        self.last = now
        let most = Self.longestDelay / .seconds(1) * rate
        let dropped = max(0, (owed - most).rounded(.down))
        owed -= dropped
        return (Int(dropped), Int(owed))
    }

    /// Counts frames that have been written.
    public mutating func count(_ frames: Int) { owed = max(0, owed - Double(frames)) }

    /// Begins anew, because nothing was written for some time.
    public mutating func restart() {
        last = nil
        owed = 0
    }
}
