import ALSA

/// `tacet devices`: lists the sound devices, each with the setting that selects it.
enum DevicesCommand: Subcommand {
    static let manual = Manual(
        name: "devices", summary: "list the sound devices, each with the setting that selects it",
        options: [.init("--json", nil, "print one JSON object")],
        text: """
            Lists the devices of the sound cards. Each line can be pasted into tacet.conf, in the section that the heading \
            names. The devices that a board most likely uses come first, outputs to a monitor after them, and cards that \
            exist only in software last. The list also contains devices that programs use, and names these programs. It \
            does not open any device, so it does not disturb them.

            The jacks of a card are comments, because Jack= is optional. Only root and members of the group audio can read \
            them. ‘tacet inputs’ lists all jacks.

            Which cards there are depends on the board. A Raspberry Pi 3 or 4 has Headphones and HDMI outputs. A Raspberry \
            Pi 5 and a BeaglePlay have only HDMI outputs, and need a USB device or an audio board for an analogue output. \
            An audio board appears once its overlay is in config.txt.
            """,
        examples: [
            .init("Show where the music can be played, and which program uses the card:", "tacet devices")
        ],
        failure: "this machine has no sound device")

    static func run(_ options: Options) throws -> ExitCode {
        let listing = DeviceListing()
        if options.flags.contains("--json") {
            Terminal.say(listing.json)
        } else {
            Terminal.say(listing.text)
        }
        guard listing.rows.isEmpty else { return .done }
        Terminal.complain("tacet: \(absence)")
        return .failed
    }

    private static let absence = """
        this machine has no sound device.
        Check that the card is plugged in, and that its driver is loaded: lsmod | grep snd
        On a Raspberry Pi, check that config.txt contains dtparam=audio=on, or the overlay of the audio board.
        """
}
