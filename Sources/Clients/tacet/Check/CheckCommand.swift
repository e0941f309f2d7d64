import Configuration

/// `tacet check`: prints every mistake in the configuration, or a summary of it.
enum CheckCommand: Subcommand {
    static let manual = Manual(
        name: "check", summary: "check the configuration",
        operand: .init("FILE", "file", .any, .file),
        text: """
            Checks the configuration and prints every mistake in the form FILE:LINE, with the problem and its fix. Without \
            FILE, it checks the installed configuration, which is tacet/tacet.conf in /etc, /run, /usr/local/lib or \
            /usr/lib, and its drop-ins. With FILE, it checks that file and its drop-ins in FILE.d. Several files are \
            checked independently of each other.

            If there are no mistakes, it prints a summary of the configuration. Warnings point out settings that are legal \
            but probably not intended. Some depend on this machine, such as warnings about a missing device, card or line, \
            about a line that the device tree assigns to another device such as an audio board, about a file that the user \
            tacet of the service cannot read, about a sound that is missing or cannot be played, about a pipe that Tacet \
            cannot create, about a player that is not running, or about outputs whose levels the kernel keeps when Tacet is \
            killed. Others apply everywhere, such as warnings about an empty library, about a playlist whose end leaves the \
            board silent, or about a cue that is longer than the minute that is kept in memory, plays more than a second after \
            its signal is asserted, or ends when the program or the broker that its signal comes from fails. Run it as root to see all warnings.
            """,
        examples: [
            .init("Check the installed configuration:", "sudo tacet check"),
            .init("Check a configuration before it is copied to a board:", "tacet check bus.conf"),
        ],
        failure: "there are mistakes, not only warnings")

    static func run(_ options: Options) throws -> ExitCode {
        let sources: [ConfigurationSource] = options.operands.isEmpty ? [.system] : options.operands.map { .file($0) }
        let results = sources.map(check)
        return results.allSatisfy { $0 } ? .done : .failed
    }

    private static func check(_ source: ConfigurationSource) -> Bool {
        do throws(ConfigurationError) {
            let loaded = try Configuration.load(source)
            let inspection = Inspection(loaded)
            for warning in loaded.warnings + inspection.warnings { Terminal.complain("\(warning)") }
            for note in inspection.notes { Terminal.complain("tacet: \(note)") }
            Terminal.say("\(loaded.files.joined(separator: ", ")): no mistakes")
            Terminal.say(
                loaded.configuration.summary.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
            return true
        } catch {
            Terminal.complain("\(error)")
            return false
        }
    }
}
