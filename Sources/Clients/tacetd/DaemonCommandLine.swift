import Appliance
import Configuration
import Glibc
import Release
import ResumeStore
import Spelling
import Systemd

/// The daemon's arguments and exit codes.
enum DaemonCommandLine {
    private static let help = """
        Usage: tacetd [--config FILE] [--strict] [--bus=system|user|none] [--release-outputs] [--version]

        Pauses or ducks the music while a signal line is asserted. systemd runs it as tacet.service; run by hand, it
        logs to standard error.

          --config FILE  the configuration; default: the installed one, tacet/tacet.conf in /etc, /run,
                         /usr/local/lib or /usr/lib, and its drop-ins
          --strict       exit if the configuration has errors; without it, the last configuration that worked (a copy
                         in the state folder) is used, and the errors are reported until they are corrected
          --bus=BUS      the message bus on which it can be observed and controlled: system (default), user or none
          --release-outputs
                         set the lines of all outputs to their deasserted level, and exit; tacet.service does this
                         after the daemon has ended in any way, because some kernels keep the last level

        Exit codes: 0 stopped by SIGTERM, 1 failed, 64 usage, 75 another Tacet uses the state folder, 78 errors in the
        configuration (with --strict, or if no configuration has worked yet).
        """

    static func run(_ arguments: [String]) -> Int32 {
        var source = ConfigurationSource.system
        var bus: BusKind? = .system
        var isStrict = false
        var releasesOutputs = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                print(help)
                return 0
            case "--version":
                print("tacetd \(Release.version)")
                return 0
            case "--config" where rest.first.map { $0.isEmpty || $0.hasPrefix("--") } ?? true, "--config=":
                complain("tacetd: --config needs a value: --config FILE\nTry ‘tacetd --help’.")
                return 64
            case "--config" where !rest.isEmpty: source = .file(rest.removeFirst())
            case _ where argument.hasPrefix("--config="): source = .file(String(argument.dropFirst(9)))
            case "--strict": isStrict = true
            case "--release-outputs": releasesOutputs = true
            case "--bus=none": bus = nil
            case "--bus=system": bus = .system
            case "--bus=user": bus = .user
            default:
                complain("tacetd: ‘\(argument)’ is not understood\nTry ‘tacetd --help’.")
                return 64
            }
        }
        // Flushes the log, but does not wait for a reader that is stuck.
        defer { JournalWriter.flush() }
        do {
            if releasesOutputs { return try releaseOutputs(source) }
            return try Daemon(source, isStrict: isStrict, bus: bus).run()
        } catch let error as ConfigurationError {
            // Journal fields would only confuse a person at a terminal.
            if JournalWriter.toJournal {
                JournalWriter.write(.startRefused(error))
            } else {
                JournalWriter.write("\(error)")
            }
            return 78
        } catch let error as StateError {
            JournalWriter.write("tacetd: \(error)")
            return 75
        } catch {
            JournalWriter.write("tacetd: \(error)")
            return 1
        }
    }

    private static func releaseOutputs(_ source: ConfigurationSource) throws(ConfigurationError) -> Int32 {
        let problems = try OutputRelease.run(source)
        for problem in problems { complain("tacetd: \(problem)") }
        return problems.isEmpty ? 0 : 1
    }

    private static func complain(_ text: String) {
        let line = Array((text.visibleLines() + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
