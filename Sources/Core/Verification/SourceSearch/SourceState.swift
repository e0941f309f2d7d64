import AudioSession

/// A set of inputs or players, represented by their indices in the policy.
struct IndexSet: Hashable {
    private var bits: UInt8 = 0

    static func all(of count: Int) -> [IndexSet] { (0..<UInt8(1) << UInt8(count)).map { IndexSet(bits: $0) } }

    init(bits: UInt8 = 0) { self.bits = bits }

    subscript(_ index: Int) -> Bool {
        get { bits & 1 << UInt8(index) != 0 }
        set { if newValue { bits |= 1 << UInt8(index) } else { bits &= ~(1 << UInt8(index)) } }
    }

    subscript(_ index: Int?) -> Bool { index.map { self[$0] } ?? false }
}

/// Something that has an intent.
enum SourceOwner: CaseIterable {
    /// The library and the automatic input, which share an intent.
    case library
    case programme
}

/// A value for each owner.
struct OwnerFlags: Hashable {
    private var library = false
    private var programme = false

    subscript(_ owner: SourceOwner) -> Bool {
        get { owner == .library ? library : programme }
        set { if owner == .library { library = newValue } else { programme = newValue } }
    }
}

/// A session, and the part of its environment to which the rules refer.
///
/// This bookkeeping is deliberately simple and independent of the session's own, so that the two can be compared.
struct SourceState: Hashable, Numerable {
    /// The number of the session.
    var session: Int32
    /// The inputs that sound.
    var sounds = IndexSet()
    var lines = ExplorerState.Lines()
    var deviceIsAvailable = true
    /// True if the user's last word about the owner was to pause or to stop.
    var quiet = OwnerFlags()
    /// True if an episode has ended without `shouldResume`, and the user has not played since.
    var waits = OwnerFlags()
    /// True if the user's last word about the owner in the present episode was to play.
    var played = OwnerFlags()
    /// True if the user's last word about the owner in the present episode was another one.
    var paused = OwnerFlags()
    var players = PlayerStates()
    /// True if an observer of the notifications has seen a `began` without its `ended`.
    var observedInterrupted = false

    init(session: Int32) {
        self.session = session
        // An input's intent becomes playing when it begins to sound.
        waits[.programme] = true
    }

    /// True if the user wants the owner to play.
    func wants(_ owner: SourceOwner) -> Bool { !quiet[owner] && !waits[owner] }

    mutating func play(_ owner: SourceOwner, players owned: [Int]) {
        quiet[owner] = false
        waits[owner] = false
        played[owner] = observedInterrupted
        paused[owner] = false
        for player in owned {
            players.pausedByWord[player] = false
            players.stopped[player] = false
        }
    }

    /// - Parameter connected: the player of the owner's input.
    mutating func silence(_ owner: SourceOwner, players owned: [Int], connected: Int?) {
        quiet[owner] = true
        played[owner] = false
        paused[owner] = observedInterrupted
        for player in owned { players.pausedByWord[player] = true }
        if owner == .programme, let connected { stop(connected) }
    }

    /// Records that a player stays paused until the user plays.
    mutating func stop(_ player: Int) {
        if players.playing[player] || players.kept[player] { players.stopped[player] = true }
    }
}

/// The players as they really are, which the session only learns from reports.
struct PlayerStates: Hashable {
    /// The players that are running.
    var present = IndexSet()
    var playing = IndexSet()
    /// The players that Tacet has paused, unless somebody has touched them since or Tacet has released them.
    var kept = IndexSet()
    /// The players whose owner's last word was not to play, since something takes their place.
    var pausedByWord = IndexSet()
    /// The players that stay paused until the user plays.
    var stopped = IndexSet()

    mutating func report(_ report: PlayerReport, of player: Int) {
        present[player] = report != .gone
        playing[player] = report == .playing
        kept[player] = false
        stopped[player] = false
    }

    /// The state that a boot finds.
    func found(_ player: Int) -> PlayerReport { playing[player] ? .playing : present[player] ? .paused : .gone }
}
