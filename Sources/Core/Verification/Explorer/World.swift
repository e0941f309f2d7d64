/// A session with as much of the world around it as the rules speak of.
///
/// What it keeps besides the session is kept by the plainest bookkeeping there is, independently of the session's own,
/// so that the two can be compared. There are millions of them: they are a few bytes, and refer to sessions and to what
/// they save by their numbers in `Sessions`.
struct World: Numerable {
    /// No number: of the session, while the power is off; of what is saved, before the first save.
    static let none: Int32 = -1

    var session = World.none
    /// What a boot reads while the power is off.
    var lastSaved = World.none
    var lines = Lines()
    var deviceIsThere = true
    var late = false
    /// Whether the user's last word about playing was a pause or a stop.
    var userWantsQuiet = false
    /// Whether the last `began` of an episode has had no `ended` yet, as an observer heard them.
    var observedInterrupted = false
    /// Whether nothing blocks any more, but has until less than a `ResumeDelay` ago.
    var delaysEpisode = false
    /// The loudest that a duck allowed that ended less than a `ResumeDelay` ago, unless another one is active: its number
    /// among the policy's levels, from 1; 0 if there is none.
    var heldDuck: UInt8 = 0
    var silencedProgramme = SilencedProgramme.none

    /// What became of a programme that an episode silenced, and that the user has not played since.
    enum SilencedProgramme: UInt8 {
        case none
        /// The episode is in progress.
        case interrupted
        /// The episode ended without the recommendation to resume.
        case waitsForUser
    }

    struct Lines: Hashable {
        var asserted: SignalSet = []
        /// Those that were asserted and are not in force: suppressed when they began, or dropped as stuck.
        var ineffective: SignalSet = []
        var stuck: SignalSet = []
        var chatters: SignalSet = []

        /// Those that should have their effect.
        var inForce: SignalSet { asserted.union(chatters).subtracting(ineffective) }

        mutating func begin(_ signals: SignalSet, suppressed: SignalSet) {
            stuck.subtract(signals)
            chatters.subtract(signals)
            ineffective.subtract(signals)
            ineffective.formUnion(signals.intersection(asserted).intersection(suppressed))
        }
    }

    var isOn: Bool { session != World.none }

    var fingerprint: Int {
        let numbers = UInt64(UInt32(bitPattern: session)) << 32 | UInt64(UInt32(bitPattern: lastSaved))
        let levels = UInt64(lines.asserted.rawValue) << 48 | UInt64(lines.chatters.rawValue) << 32
        let books = UInt64(lines.ineffective.rawValue) << 16 | UInt64(lines.stuck.rawValue)
        let flags: UInt64 =
            (deviceIsThere ? 1 : 0) | (late ? 2 : 0) | (userWantsQuiet ? 4 : 0) | (observedInterrupted ? 8 : 0)
            | (delaysEpisode ? 16 : 0) | UInt64(silencedProgramme.rawValue) << 5 | UInt64(heldDuck) << 7
        let mixed = (numbers ^ flags << 28).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let rest = (levels ^ books ^ mixed.low).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return Int(truncatingIfNeeded: mixed.high ^ rest.high ^ rest.low)
    }
}
