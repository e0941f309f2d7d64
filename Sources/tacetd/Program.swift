import Appliance
import Configuration
import Glibc

/// The daemon's arguments and exit codes.
enum Program {
    private static let help = """
        Usage: tacetd [--config FILE]

        Pauses and ducks the programme when a wire says that something is more important. Run by systemd, as
        tacet.service; by hand, it talks to standard error.

          --config FILE  the configuration; without it, the installed one: tacet/tacet.conf of /etc, /run,
                         /usr/local/lib or /usr/lib and its drop-ins

        Exit codes: 0 stopped by SIGTERM, 1 failed, 64 usage, 78 mistakes in the configuration.
        """

    static func run(_ arguments: [String]) -> Int32 {
        let source: ConfigurationSource
        switch arguments.count {
        case 0: source = .system
        case 1 where arguments[0] == "--help" || arguments[0] == "-h":
            print(help)
            return 0
        case 1 where arguments[0].hasPrefix("--config="): source = .file(String(arguments[0].dropFirst(9)))
        case 2 where arguments[0] == "--config": source = .file(arguments[1])
        default:
            complain("tacetd: unknown arguments\nTry ‘tacetd --help’.")
            return 64
        }
        do {
            return try Daemon(source).run()
        } catch let error as ConfigurationError {
            complain("\(error)")
            return 78
        } catch {
            complain("tacetd: \(error)")
            return 1
        }
    }

    private static func complain(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
