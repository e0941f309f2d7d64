import SessionClient

/// `tacet inputs`: lists the switches, keys and jacks of this machine, and the inputs at which audio arrives.
enum InputsCommand: Subcommand {
    static let manual = Manual(
        name: "inputs", summary: "list audio inputs, switches, keys and jacks, with their states",
        options: [
            .init("--all", nil, "include all keys of keyboards"), .init("--json", nil, "print one JSON object"),
            DaemonConnection.option,
        ],
        text: """
            If the service runs, lists the sections [Input NAME] of its configuration. For each of them it shows the origin \
            of its audio, whether it is silent, sounding, selected or lost, and the peak level of what has just arrived in \
            decibels relative to full scale. An input that is sounding but not selected waits for the selected one to end.

            Lists the input devices with their switches and keys, and the sound cards with their jacks, each with its \
            present state. The names are the values of Input=, Code=, Jack= and Card=. Only root and members of the groups \
            input and audio can read the states. Reading them does not disturb other programs.

            To find out whether a jack reports its state correctly, plug something in and list the jacks again. Many cards \
            report a jack that is not wired as always empty or always plugged in, and some cards do not report any jacks. \
            Such a jack cannot be used. Wire its contact to a GPIO line instead.
            """)

    static func run(_ options: Options) throws -> ExitCode {
        var listing = InputListing()
        listing.audio = InputListing.Audio.all(
            try DaemonConnection.session(options, without: "the audio inputs of the service")[.inputs])
        if options.flags.contains("--json") {
            Terminal.say(listing.json)
        } else {
            Terminal.say(listing.text(all: options.flags.contains("--all")))
        }
        if listing.devices.isEmpty, listing.cards.isEmpty, listing.audio.isEmpty {
            Terminal.complain("tacet: this machine has no input devices and no sound cards")
            return .failed
        }
        for problem in listing.problems { Terminal.complain("tacet: \(problem)") }
        return .done
    }
}
