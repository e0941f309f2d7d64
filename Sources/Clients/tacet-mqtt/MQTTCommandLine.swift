import Configuration
import Glibc
import Release
import Spelling
import Systemd

/// The program's arguments and exit codes.
enum MQTTCommandLine {
    private static let help = """
        Usage: tacet-mqtt [--config FILE] [--bus=system|user] [--check] [--version]

        Connects this board to a fleet's MQTT broker. systemd runs it as tacet-mqtt.service.

          --config FILE  the configuration; default: the installed one, tacet/mqtt.conf in /etc, /run, /usr/local/lib or
                         /usr/lib, and its drop-ins
          --bus=BUS      the message bus on which Tacet is: system (default) or user
          --check        only check the configuration, and the files that it names: whether you can read them, and whether
                         the certificates are valid

        Exit codes: 0 stopped by SIGTERM, 1 failed, 64 usage, 78 errors in the configuration, or (--check) a file that cannot
        be read or a certificate that is not valid.
        """

    static func run(_ arguments: [String]) -> Int32 {
        var source = ConfigurationSource.system
        var bus = BusKind.system
        var onlyChecks = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                print(help)
                return 0
            case "--version":
                print("tacet-mqtt \(Release.version)")
                return 0
            case "--config" where rest.first.map { !$0.isEmpty && !$0.hasPrefix("--") } ?? false:
                source = .file(rest.removeFirst())
            case _ where argument.hasPrefix("--config=") && argument.utf8.count > 9:
                source = .file(String(argument.dropFirst(9)))
            case "--bus=system": bus = .system
            case "--bus=user": bus = .user
            case "--check": onlyChecks = true
            default:
                complain("tacet-mqtt: ‘\(argument)’ is not understood\nTry ‘tacet-mqtt --help’.")
                return 64
            }
        }
        // Flushes the log, but does not wait for a reader that is stuck.
        defer { FleetJournal.flush() }
        do {
            let (configuration, warnings) = try BrokerConfiguration.load(source)
            // A service does not wait for whoever reads its messages.
            for warning in warnings {
                if onlyChecks { complain("\(warning)") } else { FleetJournal.write("\(warning)") }
            }
            guard !configuration.broker.host.isEmpty else {
                let file = if case .file(let path) = source { path } else { "/etc/tacet/mqtt.conf" }
                complain(
                    "tacet-mqtt: no broker is configured: write [Broker] and Host= into a file in \(file).d, such as"
                        + " 50-fleet.conf")
                return 78
            }
            if onlyChecks {
                return try check(configuration, source)
            }
            try Bridge(configuration, bus).run()
            return 0
        } catch let error as ConfigurationError {
            complain("\(error)")
            return 78
        } catch {
            complain("tacet-mqtt: \(error)")
            return 1
        }
    }

    /// Reports problems of the files that the configuration names, and the effects of MaximumPriority= on the local
    /// cues.
    private static func check(_ configuration: BrokerConfiguration, _ source: ConfigurationSource) throws -> Int32 {
        let settings = try BridgeSettings(configuration)
        let problems = settings.unreadableFiles + settings.badCertificates
        problems.forEach { complain("tacet-mqtt: \($0)") }
        PriorityCheck.warnings(configuration, source).forEach { complain("tacet-mqtt: warning: \($0)") }
        return problems.isEmpty ? 0 : 78
    }

    private static func complain(_ text: String) {
        let line = Array((text.visibleLines() + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
