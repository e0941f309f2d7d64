import Clocks
import Configuration
import Systemd

/// Tests a configuration while it is in use. A configuration with which something can be played for a while works, and
/// is kept for a later start whose own configuration has mistakes.
final class Probation {
    private static let length = Duration.seconds(5)

    private let source: ConfigurationSource
    private let keeper = ConfigurationKeeper()
    /// The configuration on probation, or nil after it has been kept.
    private var unproven: LoadedConfiguration?
    private var timer: EventTimer?
    /// Returns true if something can be played.
    var works: () -> Bool = { false }

    /// - Parameters:
    ///   - loaded: The configuration at the start, or nil if it has already been kept.
    ///   - source: The source of the configuration.
    init(
        of loaded: LoadedConfiguration?, from source: ConfigurationSource, in loop: EventLoop
    ) throws(SystemdError) {
        self.source = source
        unproven = loaded
        timer = try loop.timer { [unowned self] in end() }
    }

    /// - Parameter loaded: The configuration, or nil for the same one as before.
    func begin(_ loaded: LoadedConfiguration? = nil) {
        unproven = loaded ?? unproven
        if unproven != nil { timer?.deadline = SystemClock.monotonic.now + Self.length }
    }

    private func end() {
        guard let loaded = unproven else { return }
        guard works() else { return begin() }
        unproven = nil
        keeper.keep(
            KeptConfiguration(loaded, from: source, at: SystemClock.wallClock),
            in: ConfigurationKeeper.directories(
                loaded.configuration.state.directory, ConfigurationKeeper.serviceDirectory))
    }
}
