import HelperLog
import Release
import Spelling
import Systemd

/// The program's arguments and exit codes.
enum PlayersCommandLine {
    private static let help = """
        Usage: tacet-players [--bus=system|user] [--players=ADDRESS] [--version]

        Pauses and resumes other programs that play, as Tacet orders. systemd runs it as tacet-players.service.

          --bus=BUS          Use this message bus to reach tacetd and players with the MPRIS interface: system (the
                             default) or user.
          --players=ADDRESS  Also look for players on the bus at this address, such as unix:path=/run/kiosk/bus. This
                             option can be given several times.
          --version          Print the version.

        The sections [Player NAME] of tacet.conf name the players. Exit codes: 0 stopped by SIGTERM, 1 failed, 64 the
        command line is wrong.
        """

    static func run(_ arguments: [String]) -> Int32 {
        var bus = BusKind.system
        var addresses: [String] = []
        for argument in arguments {
            switch argument {
            case "--help", "-h":
                print(help)
                return 0
            case "--version":
                print("tacet-players \(Release.version)")
                return 0
            case "--bus=system": bus = .system
            case "--bus=user": bus = .user
            case _ where argument.hasPrefix("--players=") && argument.utf8.count > 10:
                addresses.append(String(argument.dropFirst(10)))
            default:
                HelperLog.complain("tacet-players: ‘\(argument)’ is not an option\nTry ‘tacet-players --help’.")
                return 64
            }
        }
        // Flushes the log, but does not wait for a reader that is stuck.
        defer { PlayersJournal.flush() }
        // Its handlers do not retain it.
        let bridge = PlayersBridge(bus, players: addresses)
        withExtendedLifetime(bridge) { bridge.run() }
        return 0
    }
}
