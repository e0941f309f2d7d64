import Playback
import Supervisor

/// A player without sound, whose playhead follows the world's clock to the microsecond. An hour of playback takes no
/// time.
final class LabPlayer {
    static let length = Duration.seconds(23)

    private let order: TrackOrder
    private var now: () -> Duration
    private var track: Int?
    private var position = Duration.zero
    private var since = Duration.zero
    private(set) var isPlaying = false
    private var isThere: Bool
    private var fadeEnd: Duration?
    private var events: [PlaybackEvent] = []
    /// The length of the music that has been played, of any track.
    private(set) var played = Duration.zero

    init(order: TrackOrder, isThere: Bool, now: @escaping () -> Duration) {
        self.order = order
        self.isThere = isThere
        self.now = now
    }

    /// The time of its next event.
    var deadline: Duration? {
        [isPlaying ? since + Self.length - position : nil, fadeEnd].compactMap { $0 }.min()
    }

    /// Plays until now.
    func advance() {
        if let fadeEnd, fadeEnd <= now() {
            self.fadeEnd = nil
            events.append(.faded)
        }
        guard isPlaying, let track else { return }
        let elapsed = now() - since
        since = now()
        position += elapsed
        played += elapsed
        guard position >= Self.length else { return }
        position = .zero
        if let next = order.successor(track) {
            self.track = next
            events.append(.trackAdvanced(to: next))
        } else {
            self.track = 0
            isPlaying = false
            events.append(.playbackEnded)
        }
    }

    // MARK: For the supervisor

    func carryOut(_ order: PlayerOrder) {
        advance()
        switch order {
        case .tearDown:
            silence(over: .zero)
            isThere = false
        case .rebuild:
            silence(over: .zero)
            isThere = true
        case .load(let track, let position, _):
            self.track = track
            self.position = position
            events.append(.loaded(track: track))
        case .seek(let position): self.position = min(position, Self.length)
        case .play(_, _, let rewinding, _):
            fadeEnd = nil
            guard isThere, track != nil else { return }
            if !isPlaying { position = max(.zero, position - rewinding) }
            isPlaying = true
            since = now()
        case .silence(let ramp): silence(over: ramp)
        case .playSound, .setSoundLevel, .stopSound, .readSounds, .select, .playPage: break
        }
    }

    private func silence(over ramp: Duration) {
        if isPlaying { fadeEnd = now() + ramp }
        isPlaying = false
    }

    var state: PlayerState {
        advance()
        var state = PlayerState()
        state.playhead = track.map {
            Playhead(track: $0, frame: Int(position / .microseconds(1)), rate: 1_000_000)
        }
        state.heard = state.playhead
        state.certainTrackLength = track == nil ? nil : Self.length
        state.isFadingOut = fadeEnd != nil
        return state
    }

    func takeEvents() -> [PlaybackEvent] {
        defer { events = [] }
        return events
    }
}
