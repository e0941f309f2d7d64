import ALSA
import Glibc
import Playback

/// The engine as a process of its own, for its memory and its processor time to be measured alone. It has no more than
/// any program around the engine must have: a wait for commands and events, and a rebuild of what the device took with
/// it.
///
/// A byte on standard input is a command: `p`ause, `r`esume, `q`uit. What happens is told on standard output, an event
/// a line.
final class BenchPlayer {
    private let engine: RealTimeEngine
    private let fadeIn: Duration
    private let fadeOut: Duration
    private var isToPlay = true

    /// - Parameters:
    ///   - tracks: played again and again.
    ///   - address: the device.
    init(_ tracks: [Track], on address: PCMAddress, fadeIn: Duration, fadeOut: Duration) {
        (self.fadeIn, self.fadeOut) = (fadeIn, fadeOut)
        var settings = EngineSettings(address)
        // Soon, for the benchmark to see what a pause costs with the device closed.
        settings.closeAfter = .seconds(2)
        let count = tracks.count
        let next = { (track: Int) in Optional((track + 1) % count) }
        engine = RealTimeEngine(
            tracks: tracks,
            order: TrackOrder(successor: next, next: next, previous: { ($0 + count - 1) % count }), settings: settings)
    }

    /// Plays until it is told to quit, or nobody is there any more to tell it.
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
        } while entries[0].revents == 0 || obey()
        engine.stop(within: .seconds(1))
    }

    /// - Returns: whether to go on.
    private func obey() -> Bool {
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
        isToPlay = true
        engine.play(gain: 1, over: fadeIn)
    }

    private func pause() {
        isToPlay = false
        engine.silence(over: fadeOut)
    }

    private func take(_ event: PlaybackEvent) {
        switch event {
        case .deviceReset:
            say("reset")
            engine.rebuild()
            if isToPlay { play() }
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
