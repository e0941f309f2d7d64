import AudioSession
import Playback
import ResumeStore
import Supervisor

/// A world that records the calls it receives, in order.
final class ScriptedWorld: World {
    var now = Duration.zero
    var wallClock = Duration.seconds(1_000)
    var levels: [SignalID: Bool] = ["phone-call": false, "alarm": false, "cover-closed": false]
    var state: SavedState?
    var deviceIsThere = true
    private(set) var calls: [String] = []
    private(set) var reports: [Report] = []
    let player = ScriptedPlayer()

    init() { player.log = { [unowned self] in calls.append($0) } }

    func readLines() -> [SignalID: Bool] {
        calls.append("read lines")
        return levels
    }

    func loadState() throws(StateError) -> SavedState? {
        calls.append("load state")
        return state
    }

    func setStateAside() throws(StateError) { calls.append("set state aside") }

    func save(_ state: SavedState, urgently: Bool) {
        calls.append(urgently ? "save urgently" : "save")
        self.state = state
    }

    var shuffleSeed: UInt64 { 7 }

    func makePlayer(tracks: TrackList, order: TrackOrder, sounds: [Sound]) -> Player {
        player.rate = 48_000
        player.opens = deviceIsThere
        return player
    }

    func drive(_ outputs: [OutputID]) { calls.append("drive \(outputs.map(\.rawValue))") }
    func muteMicrophone(_ isMuted: Bool) { calls.append("mute \(isMuted)") }
    func openCapture() -> Bool { true }
    func record(_ directive: RecordingDirective) { if directive != .off { calls.append("record \(directive)") } }
    var recorded: Duration { .zero }
    /// Whether the next hush finds an announcement whose file is being read.
    var isLoading = false
    func withdrawAnnouncements() -> Bool {
        defer { isLoading = false }
        return isLoading
    }
    func report(_ report: Report) { reports.append(report) }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }
}

/// A player that plays nothing: its playhead stands where it was put.
final class ScriptedPlayer: Player {
    var log: (String) -> Void = { _ in }
    var opens = true
    var rate = 48_000
    /// Whether a search is answered only by an event that the test adds.
    var isSlow = false
    var events: [PlaybackEvent] = []
    private(set) var playhead: Playhead?
    /// What still plays while a track is looked for; nil: nothing else.
    var before: Playhead?
    var heard: Playhead? { before ?? playhead }

    func open() -> Bool {
        log("open")
        return opens
    }
    func tearDown() { log("tear down") }
    func rebuild() { log("rebuild") }

    func load(track: Int, at position: Duration, direction: SearchDirection) {
        log("load \(track) at \(position)")
        move(track, position)
        if !isSlow { events.append(.loaded(track: track)) }
    }
    func seek(to position: Duration) {
        log("seek \(position)")
        move(playhead?.track ?? 0, position)
    }
    func play(gain: Float, over ramp: Duration, rewinding: Duration, after wait: Duration) {
        let rewind = rewinding == .zero ? "" : " rewinding \(rewinding)"
        log("play \(gain) over \(ramp)\(rewind)\(wait == .zero ? "" : " after \(wait)")")
    }
    func silence(over ramp: Duration) { log("silence over \(ramp)") }
    func playSound(_ sound: Int, clip: SoundClip?, order: Int, isCue: Bool, repeats: Bool, after wait: Duration) {
        let content = clip.map { " with \($0.path)" } ?? ""
        log("sound \(sound)\(content) as \(order) after \(wait)\(repeats ? " repeating" : "")")
    }
    func stopSound() { log("stop sound") }
    func readSounds() { log("read sounds") }

    /// Whether a fade-out that was ordered is still heard.
    var isFadingOut = false
    var trackLength: Duration? = .seconds(60)

    func takeEvents() -> [PlaybackEvent] {
        defer { events = [] }
        return events
    }

    private func move(_ track: Int, _ position: Duration) {
        playhead = Playhead(track: track, frame: Int(position / .seconds(1) * Double(rate)), rate: rate)
    }
}
