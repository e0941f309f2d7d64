/// `tacet stop`
enum StopCommand: ControlCommand {
    static let manual = Manual.control(
        "stop", "stop, at the start of the track", "Stops; play begins with the start of the track.")
}
