/// When a command was heard: measured, not assumed.
public struct CommandEffect: Sendable, Hashable {
    /// When it was given, on CLOCK_MONOTONIC.
    public let given: Duration
    /// When the first sample that it changed reaches the converter, on the same clock, as far as the driver knows its
    /// delay.
    public let heard: Duration
    /// That sample's frame, counted from the opening of the device.
    public let frame: Int

    public var latency: Duration { heard - given }
}
