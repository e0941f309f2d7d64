/// How a thread treats the device that it owns: when it closes the device, when it counts it as lost, and how it then tries
/// to open it again.
public struct DeviceHandling: Hashable, Sendable {
    /// How long the device stays open without a use, so that other programs can use it; nil to keep it open.
    public var closeAfter: Duration? = .seconds(10)
    /// A device that takes or delivers nothing for this long is lost.
    public var stallTimeout = Duration.seconds(2)
    /// A device that takes longer than this to open is lost.
    public var openTimeout = Duration.seconds(10)
    /// The pauses between the attempts to open a lost device.
    public var retry = Backoff(from: .milliseconds(50), to: .seconds(5))
    /// Folders in which a file appears when a lost device returns; it is then tried at once.
    public var watchedFolders = ["/dev/snd", "/run/pulse"]
    /// Priority of the thread under SCHED_FIFO, 1…99, if the process limits allow it.
    public var priority: Int32 = 40

    package init() {}

    /// The same, limited to valid values.
    package var limited: DeviceHandling {
        var handling = self
        handling.priority = min(max(priority, 1), 99)
        return handling
    }
}
