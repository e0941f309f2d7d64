/// `tacet pause`
enum PauseCommand: ControlCommand {
    static let manual = Manual.control("pause", "pause", "Pauses. A pause during an interruption lasts beyond it.")
}
