import Configuration

/// `tacet check`: prints every mistake in the configuration, or a summary of it.
enum CheckCommand: Subcommand {
    static let manual = Manual(
        name: "check", summary: "check the configuration",
        operand: .init("FILE", "file", .any, .file),
        text: """
            Checks the configuration and prints every mistake as FILE:LINE, with what is wrong and how to correct it. \
            Without FILE, it checks the installed configuration: tacet/tacet.conf in /etc, /run, /usr/local/lib or \
            /usr/lib, and its drop-ins. With FILE, it checks that file and its drop-ins in FILE.d, each FILE on its own.

            Warnings are about settings that are legal but will disappoint: on this machine (a device, card or line \
            that it lacks, files or music that the service's user tacet cannot read, a sound that is missing or cannot be \
            played) or anywhere (nothing to play, a playlist that ends and leaves the board silent, a cue longer than \
            the minute that is kept in memory, or heard later than a second after its edge). Run it as root to see all warnings.
            """,
        examples: [
            .init("Check the installed configuration:", "sudo tacet check"),
            .init("Check a configuration before it is copied to a board:", "tacet check bus.conf"),
        ],
        failure: "there are mistakes, not just warnings")

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
