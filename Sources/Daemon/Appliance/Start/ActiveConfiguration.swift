import Clocks
import Configuration

/// The configuration in use, and why it is not the one on the disk.
struct ActiveConfiguration {
    var configuration: Configuration
    /// Nil if it is the one on the disk.
    private(set) var fallbackConfiguration: FallbackConfiguration?
    /// When it first worked, by the wall clock: time since 1970.
    private var workedAt: Duration

    init(_ start: StartingConfiguration) {
        configuration = start.loaded.configuration
        fallbackConfiguration = start.fallbackConfiguration
        workedAt = start.fallbackConfiguration?.time ?? SystemClock.wallClock
    }

    /// - Parameter cause: why the configuration on the disk is not used; nil if it is.
    mutating func degrade(_ cause: FallbackConfiguration.Cause?) {
        if cause == nil, fallbackConfiguration != nil { workedAt = SystemClock.wallClock }
        fallbackConfiguration = cause.map { FallbackConfiguration(time: workedAt, cause: $0) }
    }
}
