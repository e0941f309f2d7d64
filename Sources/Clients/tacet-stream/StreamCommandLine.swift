import HelperLog
import Release
import Spelling
import Systemd

/// The program's arguments and exit codes.
enum StreamCommandLine {
    private static let help = """
        Usage: tacet-stream [--bus=system|user] [--version]

        Receives radio stations for Tacet. systemd runs it as tacet-stream.service.

          --bus=BUS    Use this message bus to reach tacetd: system (the default) or user.
          --version    Print the version.

        The sections [Input NAME] of tacet.conf with From=stream:URL name the stations. Exit codes: 0 stopped by SIGTERM,
        1 failed, 64 the command line is wrong.
        """

    static func run(_ arguments: [String]) -> Int32 {
        var bus = BusKind.system
        for argument in arguments {
            switch argument {
            case "--help", "-h":
                print(help)
                return 0
            case "--version":
                print("tacet-stream \(Release.version)")
                return 0
            case "--bus=system": bus = .system
            case "--bus=user": bus = .user
            default:
                HelperLog.complain("tacet-stream: ‘\(argument)’ is not an option\nTry ‘tacet-stream --help’.")
                return 64
            }
        }
        // Flushes the log, but does not wait for a reader that is stuck.
        defer { StreamJournal.flush() }
        // Its handlers do not retain it.
        let bridge = StreamBridge(bus)
        withExtendedLifetime(bridge) { bridge.run() }
        return 0
    }
}
