import ALSA
import AudioSession
import Playback

/// What a line of a scenario can say.
public enum ScenarioEvent: Hashable, Sendable {
    /// A signal, as it is after conditioning.
    case edge(Edge)
    /// A line's raw electrical level; nil: it cannot be read any more.
    case line(SignalID, level: Bool?)
    case command(Command)
    case deviceLost, deviceReset
    case configuration(StreamFormat)
    case routeLost, routeBack
    /// The system is suspended for this long; lines and the device may change meanwhile.
    case asleep(Duration)
    case powerCut
    case boot
    case end
}
