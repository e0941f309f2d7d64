import AudioSession
import Signals

/// The keys of a section `[Signal NAME]`.
struct SignalSettings: ReadSettings {
    static var keys: [Key<SignalSettings>] { KeyTable.signal }
    /// The effect, which is required except for the built-in signals. The level of a duck is in `duckLevel`.
    var effect: Effect?
    var duckLevel = Level.defaultDuck
    var resume = SignalPolicy.Resume.auto
    var resumeWithin: Duration?
    var isAlert = false
    var whenStuck = SignalPolicy.WhenStuck.hold
    var priority = 50
    var cue: SoundID?
    var line = LinePolicy()
    var complement: String?
    var source = WrittenSource()
    var isEnabled = true

    init(effect: Effect? = nil) { self.effect = effect }

    /// The three signals that every installation has unless it disables them, in their order.
    static let builtIn: [(id: SignalID, settings: SignalSettings)] = [
        ("phone-call", SignalSettings(effect: .pause)),
        ("alarm", SignalSettings(effect: .duck(.defaultDuck))),
        ("cover-closed", SignalSettings(effect: .pause)),
    ]

    /// - Returns: nil if no effect is set.
    func policy(id: SignalID) -> SignalPolicy? {
        effect.map { effect in
            SignalPolicy(
                id: id, effect: effect.isDuck ? .duck(duckLevel) : effect, resume: resume, resumeWithin: resumeWithin,
                isAlert: isAlert, whenStuck: whenStuck, priority: priority, cue: cue)
        }
    }
}
