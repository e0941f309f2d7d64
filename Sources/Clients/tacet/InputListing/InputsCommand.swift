/// `tacet inputs`: lists the switches, keys and jacks of this machine.
enum InputsCommand: Subcommand {
    static let manual = Manual(
        name: "inputs", summary: "list switches, keys and jacks, with their states",
        options: [
            .init("--all", nil, "include all keys of keyboards"), .init("--json", nil, "one JSON object"),
        ],
        text: """
            Lists the input devices with their switches and keys, and the jacks of the sound cards, each with its present \
            state. The names are those of Input=, Code=, Jack= and Card=. Only root and the groups input and audio can \
            read the states; reading them disturbs no other program.

            To find a jack that lies, plug something in and list the jacks again. Many cards report a jack that is not \
            wired as always empty, or always plugged in, and some have no jacks that report anything. Such a jack cannot \
            be used: wire its contact to a GPIO line instead.
            """)

    static func run(_ options: Options) throws -> ExitCode {
        let listing = InputListing()
        if options.flags.contains("--json") {
            Terminal.say(listing.json)
        } else {
            Terminal.say(listing.text(all: options.flags.contains("--all")))
        }
        if listing.devices.isEmpty, listing.cards.isEmpty {
            Terminal.complain("tacet: this machine has no input devices and no sound cards")
            return .failed
        }
        for problem in listing.problems { Terminal.complain("tacet: \(problem)") }
        return .done
    }
}
