import AudioSession
import Signals

/// The keys of a section `[Signal NAME]`.
struct SignalSettings: ReadSettings, Hashable {
    enum EffectName: String, Hashable, Sendable, CaseIterable {
        case pause, duck
        case muteMicrophone = "mute-microphone"
        case checkpoint, ignore
    }

    /// Required, except for the built-in signals.
    var effect: EffectName?
    /// As on Android. −14 dB is in range, so `mute` is never used.
    var duckLevel = Level(decibels: -14) ?? .mute
    var resume = SignalPolicy.Resume.auto
    var resumeWithin: Duration?
    var isAlert = false
    var whenStuck = SignalPolicy.WhenStuck.hold
    var priority = 50
    var cue: SoundID?
    var line = LinePolicy()
    var wiring = WiringSettings()
    var isEnabled = true

    init(effect: EffectName? = nil) { self.effect = effect }

    /// The three signals that every installation has unless it disables them, in their order.
    static let builtIn: [(id: SignalID, settings: SignalSettings)] = [
        ("phone-call", SignalSettings(effect: .pause)),
        ("alarm", SignalSettings(effect: .duck)),
        ("cover-closed", SignalSettings(effect: .pause)),
    ]

    /// - Returns: nil if no effect is set.
    func policy(id: SignalID) -> SignalPolicy? {
        let effect: Effect? =
            switch self.effect {
            case .pause: .pause
            case .duck: .duck(duckLevel)
            case .muteMicrophone: .muteMicrophone
            case .checkpoint: .checkpoint
            case .ignore: .ignore
            case nil: nil
            }
        return effect.map {
            SignalPolicy(
                id: id, effect: $0, resume: resume, resumeWithin: resumeWithin, isAlert: isAlert,
                whenStuck: whenStuck, priority: priority, cue: cue)
        }
    }
}
