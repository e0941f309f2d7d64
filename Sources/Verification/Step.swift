import AudioSession

/// Something that can happen to a session and to the world around it.
public enum Step: Hashable, Sendable {
    /// A line changes, while the power is on or off.
    case line(Int, asserted: Bool)
    case event(Event)
    case powerCut
    case boot
    /// Long enough for every interruption in force to outlast its `ResumeWithin`.
    case wait

    /// As a scenario writes it, where a scenario can say it.
    func description(_ policy: Policy) -> String {
        switch self {
        case .line(let signal, let asserted): "\(asserted ? "assert" : "deassert") \(policy.signals[signal].id)"
        case .powerCut: "power-cut"
        case .boot: "boot"
        case .wait: "# longer than any ResumeWithin"
        case .event(let event): Step.description(event)
        }
    }

    private static func description(_ event: Event) -> String {
        switch event {
        case .fault(let fault): "fault \(fault.signal) \(fault.kind.rawValue)"
        case .cleared(let fault): "cleared \(fault.signal) \(fault.kind.rawValue)"
        case .command(.seek(let position, _)): "command seek \(position)"
        case .command(.volume(let level)): "command volume \(level)dB"
        case .command(let command): "command \(command)"
        case .mediaServicesLost: "device lost"
        case .mediaServicesReset: "device reset"
        case .configurationChanged: "configuration 44100 2"
        case .routeLost: "route lost"
        case .routeBack: "route back"
        case .delayElapsed(let end): "\(end.rawValue) ended"
        case .trackBegan: "track ended"
        case .programmeEnded: "playlist ended"
        case .boot, .edge, .edges, .awoke, .tracksAvailable: "\(event)"
        }
    }
}
