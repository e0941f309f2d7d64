import ALSA

/// `tacet devices`: lists the sound devices, each with the setting that selects it.
enum DevicesCommand: Subcommand {
    static let manual = Manual(
        name: "devices", summary: "list the sound devices, each with the setting that selects it",
        options: [.init("--json", nil, "print one JSON object")],
        text: """
            Lists the devices of the sound cards. Each line can be pasted into tacet.conf, in the section that the heading \
            names. The devices that a board most likely uses come first. A device that another program uses is also listed.

            Which cards there are depends on the board. A Raspberry Pi 3 or 4 has Headphones and HDMI outputs. A Raspberry \
            Pi 5 has only HDMI outputs, and needs a USB device or an audio board for an analogue output. An audio board \
            appears once its overlay is in config.txt.
            """)

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

    static let absence =
        "this machine has no sound card: check that its driver is loaded (‘lsmod | grep snd’, ‘dmesg’), and on a Raspberry "
        + "Pi, that config.txt has dtparam=audio=on or the overlay of the audio board"
}
