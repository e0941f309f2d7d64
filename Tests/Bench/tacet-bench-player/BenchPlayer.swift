import ALSA
import Glibc
import Playback

/// The engine in its own process, so that its memory and processor time can be measured separately. It adds only what
/// any program needs: a loop that waits for commands and events, and a rebuild after a device reset.
///
/// A byte on standard input is a command: `p`ause, `r`esume, `q`uit. Standard output contains one event per line.
final class BenchPlayer {
    private let engine: RealTimeEngine
    private let fadeIn: Duration
    private let fadeOut: Duration
    /// True if the last command was to play, which must be repeated after a device reset.
    private var shouldPlay = true

    /// - Parameters:
    ///   - tracks: The tracks, which are repeated endlessly.
    ///   - address: The device.
    init(_ tracks: [Track], on address: PCMAddress, fadeIn: Duration, fadeOut: Duration) {
        (self.fadeIn, self.fadeOut) = (fadeIn, fadeOut)
        var settings = EngineSettings(address)
        // The time is short so that the benchmark can measure a pause with the device closed.
        settings.handling.closeAfter = .seconds(2)
        let count = tracks.count
        let next = { (track: Int) in Optional((track + 1) % count) }
        engine = RealTimeEngine(
            tracks: tracks,
            order: TrackOrder(successor: next, next: next, previous: { ($0 + count - 1) % count }), settings: settings)
    }

    /// Plays until it receives `q` or the end of standard input.
    func run() {
        engine.load(track: 0, at: .zero)
        play()
        var entries = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        repeat {
            poll(&entries, nfds_t(entries.count), -1)
            if entries[1].revents != 0 { engine.takeEvents().forEach(take) }
        } while entries[0].revents == 0 || execute()
        engine.stop(within: .seconds(1))
    }

    /// - Returns: True to continue.
    private func execute() -> Bool {
        var command: UInt8 = 0
        guard read(STDIN_FILENO, &command, 1) == 1 else { return false }
        switch Unicode.Scalar(command) {
        case "p": pause()
        case "r": play()
        case "q": return false
        default: say("unknown")
        }
        return true
    }

    private func play() {
        shouldPlay = true
        engine.play(gain: 1, over: fadeIn)
    }

    private func pause() {
        shouldPlay = false
        engine.silence(over: fadeOut)
    }

    private func take(_ event: PlaybackEvent) {
        switch event {
        case .deviceReset:
            say("reset")
            engine.rebuild()
            if shouldPlay { play() }
        case .deviceOpened: say("opened")
        case .deviceClosed: say("closed")
        case .deviceLost: say("lost")
        case .faded: say("faded")
        case .underrun: say("underrun")
        case .effect(let effect): say("effect \(Int(effect.latency / .nanoseconds(1)))")
        default: break
        }
    }
}
