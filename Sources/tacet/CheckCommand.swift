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
            for warning in loaded.warnings { Terminal.complain("\(warning)") }
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
