import Clocks
import Configuration

/// The configuration in use, and the reason if it is not the one on the disk.
struct ActiveConfiguration {
    var configuration: Configuration
    /// The description of the fallback, or nil if the configuration is the one on the disk.
    private(set) var fallbackConfiguration: FallbackConfiguration?
    /// The time at which the configuration first worked, by the wall clock since 1970.
    private var workedAt: Duration

    init(_ start: StartingConfiguration) {
        configuration = start.loaded.configuration
        fallbackConfiguration = start.fallbackConfiguration
        workedAt = start.fallbackConfiguration?.time ?? SystemClock.wallClock
    }

    /// - Parameter cause: The reason why the configuration on the disk is not used, or nil if it is used.
    mutating func degrade(_ cause: FallbackConfiguration.Cause?) {
        if cause == nil, fallbackConfiguration != nil { workedAt = SystemClock.wallClock }
        fallbackConfiguration = cause.map { FallbackConfiguration(time: workedAt, cause: $0) }
    }
}
