import Glibc
import Spelling

/// The program's face: finds the sub-command, and turns errors into words and exit codes.
enum CommandLineTool {
    static var subcommands: [any Subcommand.Type] {
        [SimulateCommand.self, CheckCommand.self, LinesCommand.self, StateCommand.self]
    }

    static func run(_ arguments: [String]) -> Int32 {
        do {
            let code = try dispatch(arguments)
            guard fflush(nil) == 0 else {
                Terminal.complain("tacet: cannot write standard output: \(String(cString: strerror(errno)))")
                return ExitCode.failed.rawValue
            }
            return code.rawValue
        } catch let error as UsageError {
            Terminal.complain("tacet: \(error.message)\nTry ‘tacet\(error.subcommand.map { " \($0)" } ?? "") --help’.")
            return ExitCode.usage.rawValue
        } catch {
            Terminal.complain("\(error)")
            return ExitCode.failed.rawValue
        }
    }

    private static func dispatch(_ arguments: [String]) throws -> ExitCode {
        guard let name = arguments.first else { throw UsageError("name a sub-command") }
        if name == "--help" || name == "-h" || name == "help" {
            print(help)
            return .done
        }
        guard let subcommand = subcommands.first(where: { $0.name == name }) else {
            throw UsageError(Spelling.unknown("sub-command", name, among: subcommands.map { $0.name }))
        }
        let rest = Array(arguments.dropFirst())
        if rest.contains("--help") || rest.contains("-h") {
            print(subcommand.help)
            return .done
        }
        return try subcommand.run(rest)
    }

    private static var help: String {
        let width = subcommands.map { $0.usage.count }.max() ?? 0
        let list = subcommands.map {
            "  " + $0.usage + String(repeating: " ", count: width + 2 - $0.usage.count) + $0.summary
        }
        return """
            Usage: tacet SUB-COMMAND …

            \(list.joined(separator: "\n"))

            Each takes --help. Exit codes: 0 done, 1 failed, 64 usage.
            """
    }
}
