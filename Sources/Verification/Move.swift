import AudioSession

/// A step as it is remembered, in a few bytes: with what is so before it, it is a `Step`. The numbers are those of
/// signals and of commands.
enum Move: Hashable {
    /// A line changes to its other level.
    case line(Int16)
    case stuck(Int16)
    case chatter(Int16)
    case quiet(Int16)
    case command(Int16)
    /// The device comes or goes.
    case device
    case configurationChanged
    /// The route is lost and returns, or the session would be explored twice over for a fact on which only the
    /// notification of the return depends.
    case routeLost
    case trackEnded
    /// A `ResumeDelay` has passed.
    case episodeElapsed, duckElapsed
    case powerCut
    case boot
    case wait
}

extension Explorer {
    func step(_ move: Move, from world: World) -> Step {
        switch move {
        case .line(let signal): .line(Int(signal), asserted: !world.lines.asserted[Int(signal)])
        case .powerCut: .powerCut
        case .boot: .boot
        case .wait: .wait
        case .stuck(let signal): .event(alphabet.events[alphabet.stuck(Int(signal))])
        case .chatter(let signal): .event(alphabet.events[alphabet.chatter(Int(signal))])
        case .quiet(let signal): .event(alphabet.events[alphabet.quiet(Int(signal))])
        case .command(let command): .event(alphabet.events[alphabet.command(Int(command))])
        case .device: .event(world.deviceIsThere ? .mediaServicesLost : .mediaServicesReset)
        case .configurationChanged: .event(.configurationChanged)
        case .routeLost: .event(.routeLost)
        case .episodeElapsed: .event(.delayElapsed(.episode))
        case .duckElapsed: .event(.delayElapsed(.duck))
        case .trackEnded: .event(alphabet.events[sessions[world.session].trackEnd])
        }
    }
}
