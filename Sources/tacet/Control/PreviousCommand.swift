/// `tacet previous`
enum PreviousCommand: ControlCommand {
    static let manual = Manual.control(
        "previous", "go to the previous track", "Goes to the previous track, playing or not as before.")
}
