/// The behaviour of a thread towards the device that it owns. It determines when the thread closes the device, when it
/// treats the device as lost, and how it tries to open the device again.
public struct DeviceHandling: Hashable, Sendable {
    /// The time after which an unused device is closed, so that other programs can use it, or nil to keep it open.
    public var closeAfter: Duration? = .seconds(10)
    /// The time after which a device that accepts or delivers nothing is treated as lost.
    public var stallTimeout = Duration.seconds(2)
    /// The time after which a device that is still being opened is treated as lost.
    public var openTimeout = Duration.seconds(10)
    /// The pauses between the attempts to open a lost device.
    public var retry = Backoff(from: .milliseconds(50), to: .seconds(5))
    /// The folders in which a file appears when a lost device returns. The thread then immediately tries to open the
    /// device.
    public var watchedFolders = ["/dev/snd", "/run/pulse"]
    /// The priority of the thread under SCHED_FIFO, 1…99, if the process limits allow it.
    public var priority: Int32 = 40

    package init() {}

    /// The same settings, limited to valid values.
    package var limited: DeviceHandling {
        var handling = self
        handling.priority = min(max(priority, 1), 99)
        return handling
    }
}
