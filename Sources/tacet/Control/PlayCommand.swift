/// `tacet play`
enum PlayCommand: ControlCommand {
    static let manual = Manual.control(
        "play", "play, or go on playing",
        "Plays from where it is. During an interruption it is remembered: the programme goes on after it.")
}
