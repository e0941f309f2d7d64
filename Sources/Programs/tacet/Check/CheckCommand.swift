import Configuration

/// `tacet check`: every mistake of the configuration, or what it comes to.
enum CheckCommand: Subcommand {
    static let manual = Manual(
        name: "check", summary: "check the configuration",
        operand: .init("FILE", "file", .any, .file),
        text: """
            Checks the configuration and prints every mistake as FILE:LINE, what is wrong, and what would be right. \
            Without FILE: the installed one, tacet/tacet.conf of /etc, /run, /usr/local/lib or /usr/lib and its \
            drop-ins. With FILE: that file and its drop-ins in FILE.d; each FILE is checked by itself.

            Warnings are about what has no mistake and will disappoint: on this machine (a device, card or line that it \
            does not have, files or music that the service's user tacet cannot read) and anywhere (nothing to play, a \
            list that ends and leaves the board silent). Run it as root to have all of them.
            """,
        failure: "there are mistakes (and not only warnings)")

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
