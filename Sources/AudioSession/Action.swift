/// What is to be done after an event, in this order.
public enum Action: Hashable, Sendable {
    /// Make a track the current one, at its start. Whether it sounds is the directive's business.
    case load(track: Int, direction: Direction)
    /// Go to a position of the current track.
    case seek(Duration)
    /// Throw every playback object away: the device is gone.
    case tearDown
    /// Throw every playback object away and make them anew for what the device is now.
    case rebuild
    /// Make it so. With `rewinding`, the programme was stopped by an interruption, a lost device or a boot, and goes
    /// on a little earlier (`ResumeRewind`).
    case apply(Directive, rewinding: Bool)
    case setVolume(Level)
    case muteMicrophone(Bool)
    /// Save the state; `urgently`: ahead of everything else.
    case save(urgently: Bool)
    case post(Notification)
    case log(Remark)
    case answer(Answer)

    /// Where to look for another track when the one asked for cannot be read.
    public enum Direction: Hashable, Sendable { case forwards, backwards }
}
