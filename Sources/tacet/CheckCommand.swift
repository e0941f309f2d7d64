import Configuration

/// `tacet check`: every mistake of the configuration, or what it comes to.
enum CheckCommand: Subcommand {
    static let name = "check"
    static let usage = "check [FILE…]"
    static let summary = "check the configuration"
    static let help = """
        Usage: tacet check [FILE…]

        Checks the configuration and prints every mistake as FILE:LINE, what is wrong, and what would be right.
        Without FILE: the installed one, tacet/tacet.conf of /etc, /run, /usr/local/lib or /usr/lib and its
        drop-ins. With FILE: that file and its drop-ins in FILE.d; each FILE is checked by itself.

        Exit codes: 0 no mistakes (there may be warnings), 1 mistakes, 64 usage.
        """

    static func run(_ arguments: [String]) throws -> ExitCode {
        let files = try Options(arguments, known: [], subcommand: name).operands
        let sources: [ConfigurationSource] = files.isEmpty ? [.system] : files.map { .file($0) }
        let results = sources.map(check)
        return results.allSatisfy { $0 } ? .done : .failed
    }

    private static func check(_ source: ConfigurationSource) -> Bool {
        do throws(ConfigurationError) {
            let loaded = try Configuration.load(source)
            for warning in loaded.warnings { Terminal.complain("\(warning)") }
            print("\(loaded.files.joined(separator: ", ")): no mistakes")
            print(loaded.configuration.summary)
            return true
        } catch {
            Terminal.complain("\(error)")
            return false
        }
    }
}
