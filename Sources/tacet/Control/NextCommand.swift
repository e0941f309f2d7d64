/// `tacet next`
enum NextCommand: ControlCommand {
    static let manual = Manual.control(
        "next", "go to the next track", "Goes to the next track, playing or not as before.")
}
