import Clocks
import Configuration
import Systemd

/// The probation of a configuration: if something can be played with it for a while, it works, and is kept for a start
/// whose own configuration has mistakes.
final class Probation {
    private static let length = Duration.seconds(5)

    private let source: ConfigurationSource
    private let keeper = ConfigurationKeeper()
    /// Nil once it is kept.
    private var unproven: LoadedConfiguration?
    private var timer: EventTimer?
    /// Whether something can be played.
    var works: () -> Bool = { false }

    /// - Parameters:
    ///   - loaded: the configuration at the start; nil if that is already kept.
    ///   - source: where it comes from.
    init(
        of loaded: LoadedConfiguration?, from source: ConfigurationSource, in loop: EventLoop
    ) throws(SystemdError) {
        self.source = source
        unproven = loaded
        timer = try loop.timer { [unowned self] in end() }
    }

    /// - Parameter loaded: nil: the same as before.
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
