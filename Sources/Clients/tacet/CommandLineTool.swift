import Configuration
import Files
import Glibc
import Release
import Spelling

/// The command line, which finds the sub-command and turns errors into messages and exit codes.
enum CommandLineTool {
    /// The sub-commands, in the order in which they are listed.
    static var subcommands: [any Subcommand.Type] {
        [
            StatusCommand.self, WhyCommand.self, HealthCommand.self, MonitorCommand.self, PlayCommand.self,
            PauseCommand.self,
            ToggleCommand.self, StopCommand.self, NextCommand.self, PreviousCommand.self, SeekCommand.self,
            VolumeCommand.self, AnnounceCommand.self, HushCommand.self, SoundsCommand.self, TracksCommand.self,
            RecordCommand.self,
            AssertCommand.self,
            DeassertCommand.self, LogCommand.self,
            TimelineCommand.self, CheckCommand.self, LinesCommand.self, InputsCommand.self,
            DevicesCommand.self,
            SimulateCommand.self,
            StateCommand.self, VerifyCommand.self,
        ]
    }

    static func run(_ arguments: [String]) -> Int32 {
        do {
            let code = try dispatch(arguments)
            guard fflush(nil) == 0 else {
                Terminal.complain("tacet: cannot write standard output: \(String(errno: errno))")
                return ExitCode.failed.rawValue
            }
            return code.rawValue
        } catch let error as UsageError {
            Terminal.complain("tacet: \(error.message)\nTry ‘tacet\(error.subcommand.map { " \($0)" } ?? "") --help’.")
            return ExitCode.usage.rawValue
        } catch let error as DaemonConnection.Unreachable {
            Terminal.complain("tacet: \(error)")
            return ExitCode.notRunning.rawValue
        } catch {
            Terminal.complain("\(error)")
            return ExitCode.failed.rawValue
        }
    }

    private static func dispatch(_ arguments: [String]) throws -> ExitCode {
        guard let name = arguments.first else { throw UsageError("name a sub-command") }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "--help", "-h", "help": print(Manual.overview(manuals))
        case "--version": print("tacet \(Release.version)")
        case "--manual": print(try manualPage(rest).text, terminator: "")
        case "--completion": print(try completion(rest).script(manuals), terminator: "")
        default: return try subcommand(name, rest)
        }
        return .done
    }

    private static func subcommand(_ name: String, _ arguments: [String]) throws -> ExitCode {
        guard let subcommand = subcommands.first(where: { $0.manual.names.contains(name) }) else {
            throw UsageError(Spelling.unknown("sub-command", name, among: manuals.flatMap(\.names)))
        }
        if arguments.contains("--help") || arguments.contains("-h") {
            print(subcommand.manual.helpText)
            return .done
        }
        return try subcommand.run(try Options(arguments, of: subcommand.manual))
    }

    // MARK: For `make manual`

    private static var manuals: [Manual] { subcommands.map { $0.manual } }

    private static func manualPage(_ arguments: [String]) throws(UsageError) -> ManualPage {
        guard let name = arguments.first else { return ManualPage(manuals) }
        if name == ConfigurationManual.name { return ManualPage(SectionDocumentation.all) }
        if name == BrokerManual.name { return ManualPage(broker: SectionDocumentation.broker) }
        guard let manual = manuals.first(where: { $0.names.contains(name) }) else {
            throw UsageError(Spelling.unknown("sub-command", name, among: manuals.flatMap(\.names)))
        }
        return ManualPage(manual)
    }

    private static func completion(_ arguments: [String]) throws(UsageError) -> ShellCompletion {
        let shells = ShellCompletion.allCases.map(\.rawValue)
        guard let name = arguments.first else { throw UsageError("name a shell: \(shells.joined(separator: ", "))") }
        guard let shell = ShellCompletion(rawValue: name) else {
            throw UsageError(Spelling.unknown("shell", name, among: shells))
        }
        return shell
    }
}
