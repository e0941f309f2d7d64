import AudioSession
import GPIO

/// An output, which is a GPIO line that the board drives. See AudioSession's Semantics.
public struct Output: Hashable, Sendable {
    /// The name, which is unique, and the meaning.
    public var policy: OutputPolicy
    /// The line, or nil if the output can be rehearsed but does not drive anything.
    public var wiring: Wiring?
    /// True if the low level means asserted.
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

    /// Returns true if both drive the same line in the same way.
    public func drivesLike(_ other: Output) -> Bool {
        policy.id == other.policy.id && wiring == other.wiring && isActiveLow == other.isActiveLow
            && drive == other.drive
    }
}

/// The keys of a section `[Output NAME]`.
struct OutputSettings: WiredSettings {
    /// The meaning, which is required. The times of an amplifier are in `lead` and `lag`.
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
