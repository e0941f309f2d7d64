import Configuration
import HelperLog
import Release
import Spelling
import Systemd

/// The program's arguments and exit codes.
enum MQTTCommandLine {
    private static let help = """
        Usage: tacet-mqtt [--config FILE] [--bus=system|user] [--check] [--version]

        Connects this board to the MQTT broker of a fleet. systemd runs it as tacet-mqtt.service.

          --config FILE  Read FILE and FILE.d/*.conf instead of the installed configuration, which is tacet/mqtt.conf in
                         /etc, /run, /usr/local/lib or /usr/lib, and its drop-ins.
          --bus=BUS      Use this message bus to reach tacetd: system (the default) or user.
          --check        Check the configuration and exit. This includes whether you can read the files that it names,
                         and whether the certificates are valid.
          --version      Print the version.

        Exit codes: 0 stopped by SIGTERM (with --check, no mistakes), 1 failed, 64 the command line is wrong, 78 the
        configuration has mistakes or, with --check, a file cannot be read or a certificate is not valid.
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
                HelperLog.complain("tacet-mqtt: ‘\(argument)’ is not an option\nTry ‘tacet-mqtt --help’.")
                return 64
            }
        }
        // Flushes the log, but does not wait for a reader that is stuck.
        defer { FleetJournal.flush() }
        do {
            let (configuration, warnings) = try BrokerConfiguration.load(source)
            // A service must not wait for the program that reads its messages.
            for warning in warnings {
                if onlyChecks { HelperLog.complain("\(warning)") } else { FleetJournal.write("\(warning)") }
            }
            guard !configuration.broker.host.isEmpty else {
                let file = if case .file(let path) = source { path } else { "/etc/tacet/mqtt.conf" }
                HelperLog.complain(
                    "tacet-mqtt: no broker is configured: write a section [Broker] with Host= to a file in \(file).d, such as"
                        + " 50-fleet.conf")
                return 78
            }
            if onlyChecks {
                return try check(configuration, source)
            }
            try Bridge(configuration, bus).run()
            return 0
        } catch let error as ConfigurationError {
            HelperLog.complain("\(error)")
            return 78
        } catch {
            HelperLog.complain("tacet-mqtt: \(error)")
            return 1
        }
    }

    /// Reports problems with the files that the configuration names, and the effects of MaximumPriority= on the local
    /// cues.
    private static func check(_ configuration: BrokerConfiguration, _ source: ConfigurationSource) throws -> Int32 {
        let settings = try BridgeSettings(configuration)
        let problems = settings.unreadableFiles + settings.badCertificates
        problems.forEach { HelperLog.complain("tacet-mqtt: \($0)") }
        PriorityCheck.warnings(configuration, source).forEach { HelperLog.complain("tacet-mqtt: warning: \($0)") }
        return problems.isEmpty ? 0 : 78
    }
}
