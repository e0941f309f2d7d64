import AudioSession
import GPIO

/// An output: a GPIO line that the board drives. See AudioSession's Semantics.
public struct Output: Hashable, Sendable {
    /// The name and the meaning; each name once.
    public var policy: OutputPolicy
    /// nil: it can be rehearsed, but drives nothing.
    public var wiring: Wiring?
    /// Whether the low level means asserted.
    public var isActiveLow: Bool
    public var drive: LineDrive

    public init(
        _ policy: OutputPolicy, wiring: Wiring? = nil, isActiveLow: Bool = false, drive: LineDrive = .pushPull
    ) {
        self.policy = policy
        self.wiring = wiring
        self.isActiveLow = isActiveLow
        self.drive = drive
    }

    /// Whether both drive the same line in the same way.
    public func drivesLike(_ other: Output) -> Bool {
        policy.id == other.policy.id && wiring == other.wiring && isActiveLow == other.isActiveLow
            && drive == other.drive
    }
}

/// The keys of a section `[Output NAME]`.
struct OutputSettings: WiredSettings {
    /// Required. The times of an amplifier are in `lead` and `lag`.
    var meaning: OutputMeaning?
    var lead = OutputMeaning.defaultLead
    var lag = OutputMeaning.defaultLag
    var source = WrittenSource()
    var isActiveLow = false
    var drive = LineDrive.pushPull
    var isEnabled = true

    /// - Returns: nil if no meaning is set.
    func policy(id: OutputID) -> OutputPolicy? {
        switch meaning {
        case .amplifier: OutputPolicy(id: id, meaning: .amplifier(lead: lead, lag: lag))
        case .follows(let fact): OutputPolicy(id: id, meaning: .follows(fact))
        case nil: nil
        }
    }
}
