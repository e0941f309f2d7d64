import Playback
import Supervisor

/// A player without sound: its playhead follows the world's clock, to the microsecond. An hour takes no time.
final class LabPlayer: Player {
    static let length = Duration.seconds(23)

    private let order: TrackOrder
    private var now: () -> Duration
    private var track: Int?
    private var position = Duration.zero
    private var since = Duration.zero
    private(set) var isPlaying = false
    private var isThere = false
    private var fadeEnd: Duration?
    private var events: [PlaybackEvent] = []
    /// How much has been heard, of any track.
    private(set) var played = Duration.zero
    let opens: () -> Bool

    init(order: TrackOrder, opens: @escaping () -> Bool, now: @escaping () -> Duration) {
        self.order = order
        self.opens = opens
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
            events.append(.programmeEnded)
        }
    }

    // MARK: For the supervisor

    func open() -> Bool {
        isThere = opens()
        return isThere
    }

    func tearDown() {
        silence(over: .zero)
        isThere = false
    }

    func rebuild() {
        silence(over: .zero)
        isThere = true
    }

    func load(track: Int, at position: Duration, direction: SearchDirection) {
        advance()
        self.track = track
        self.position = position
        events.append(.loaded(track: track))
    }

    func seek(to position: Duration) {
        advance()
        self.position = min(position, Self.length)
    }

    func play(gain: Float, over ramp: Duration, rewinding: Duration, after wait: Duration) {
        advance()
        fadeEnd = nil
        guard isThere, track != nil else { return }
        if !isPlaying { position = max(.zero, position - rewinding) }
        isPlaying = true
        since = now()
    }

    func silence(over ramp: Duration) {
        advance()
        if isPlaying { fadeEnd = now() + ramp }
        isPlaying = false
    }

    func playSound(_ sound: Int, clip: SoundClip?, order: Int, isCue: Bool, repeats: Bool, after wait: Duration) {}
    func stopSound() {}
    func readSounds() {}

    var isFadingOut: Bool {
        advance()
        return fadeEnd != nil
    }

    var playhead: Playhead? {
        advance()
        return track.map { Playhead(track: $0, frame: Int(position / .microseconds(1)), rate: 1_000_000) }
    }

    var heard: Playhead? { playhead }

    var trackLength: Duration? { track == nil ? nil : Self.length }

    func takeEvents() -> [PlaybackEvent] {
        defer { events = [] }
        return events
    }
}
