import AudioSession
import Configuration
import Playback
import Signals

/// The longest time until the first frame of a sound is played if no sound of higher priority is playing or blocks it.
/// The type is pure.
///
/// The bound assumes that the device is open and that the sound has been read. Latency after the device's queue is not
/// included, as in a `ReactionBound`.
public struct SoundBound: Hashable, Sendable {
    public let sound: SoundID
    /// The time until the level of the signal takes effect, or zero for an announcement.
    public let debounce: Duration
    /// The longest ramp of the music for which the sound waits. This may also be a fade-out that began earlier. Zero if
    /// the sound never waits for the music.
    public let ramp: Duration
    /// The longest lead of an amplifier. It runs at the same time as the ramp.
    public let lead: Duration
    /// The time from the command to its first sample, as in a `ReactionBound`.
    public let queue: Duration

    public var wait: Duration { max(ramp, lead) }
    public var total: Duration { debounce + wait + queue }

    /// Creates the bound of a signal's cue, measured from the assertion of the signal.
    ///
    /// - Returns: nil if the signal does not have a cue or is suppressed.
    public init?(ofCueOf signal: SignalID, under configuration: Configuration) {
        self.init(
            .edge(Edge(signal, asserted: true)), (configuration.lines[signal] ?? LinePolicy()).debounce, configuration)
    }

    /// Creates the bound of an announcement, measured from its request.
    ///
    /// - Returns: nil if there is no such sound.
    public init?(ofAnnouncementOf sound: SoundID, under configuration: Configuration) {
        self.init(.command(.announce(Announcement(sound))), .zero, configuration)
    }

    private init?(_ event: Event, _ debounce: Duration, _ configuration: Configuration) {
        // The bound is derived from the session's reaction, like a `ReactionBound`.
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)
        session.handle(.command(.play), at: .zero)
        let orders = session.handle(event, at: .zero).compactMap { action -> SoundOrder? in
            if case .playSound(let order) = action { order } else { nil }
        }
        guard let order = orders.last else { return nil }
        sound = order.sound
        self.debounce = debounce
        ramp = order.wait == .none ? .zero : configuration.playback.longestFade
        lead = configuration.outputs.compactMap(\.policy.meaning.lead).max() ?? .zero
        queue = EngineSettings.longestReaction
    }
}
