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

        Plays music, and pauses or ducks it when a line, switch, jack, call or program signals something more important.
        systemd runs it as tacet.service. If you start it in a terminal, it logs to standard error.

          --config FILE  Read FILE and FILE.d/*.conf instead of the installed configuration, which is tacet/tacet.conf in
                         /etc, /run, /usr/local/lib or /usr/lib, and its drop-ins.
          --strict       Exit if the configuration has mistakes. Without this option, the daemon uses a copy of the last
                         configuration that worked, and reports the mistakes until they are corrected.
          --bus=BUS      Use this message bus for clients such as tacet(1): system (the default), user or none.
          --release-outputs
                         Set the lines of all outputs to their deasserted levels and exit. tacet-outputs.service does
                         this early in the boot, and tacet.service whenever the daemon has ended, because some kernels
                         keep the last level of a line.
          --version      Print the version.

        Exit codes: 0 stopped by SIGTERM, 1 failed, or an output could not be deasserted, 64 the command line is wrong,
        75 another daemon uses the state folder, 78 the configuration has mistakes (with --strict, or if no
        configuration has worked yet).
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
                complain("tacetd: ‘\(argument)’ is not an option\nTry ‘tacetd --help’.")
                return 64
            }
        }
        // Flushes the log, but does not wait for a reader that is stuck.
        defer { JournalWriter.flush() }
        do {
            if releasesOutputs { return releaseOutputs(source) }
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

    private static func releaseOutputs(_ source: ConfigurationSource) -> Int32 {
        do throws(ConfigurationError) {
            let problems = try OutputRelease.run(source)
            for problem in problems {
                if JournalWriter.toJournal {
                    JournalWriter.write(problem.entry)
                } else {
                    complain("tacetd: \(problem.words)")
                }
            }
            return problems.isEmpty ? 0 : 1
        } catch {
            // The daemon has reported the mistakes, or will do so.
            JournalWriter.write(
                "tacetd: No output was deasserted, because the configuration has mistakes and none has worked yet:\n"
                    + "\(error)")
            return 78
        }
    }

    private static func complain(_ text: String) {
        let line = Array((text.visibleLines() + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
