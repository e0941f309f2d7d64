/// `tacet toggle`
enum ToggleCommand: ControlCommand {
    static let manual = Manual.control(
        "toggle", "pause what plays, play what is paused", "Pauses what plays, and plays what does not.")

    static func words(_ options: Options) -> String { "playPause" }
}
