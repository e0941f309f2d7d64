extension BrokerConfiguration {
    /// Reads `mqtt.conf` and its drop-ins. Later files override earlier ones key by key.
    /// - Throws: All mistakes in all files at once, or the reason why no file could be read.
    public static func load(
        _ source: ConfigurationSource
    ) throws(ConfigurationError) -> (configuration: BrokerConfiguration, warnings: [Diagnostic]) {
        let search = FileSearch(source, name: "mqtt.conf")
        var draft = BrokerDraft()
        draft.diagnostics += search.problems
        for path in search.files {
            do throws(Diagnostic) {
                draft.add(IniDocument(bytes: try InputFile.read(path), file: path))
            } catch {
                draft.diagnostics.append(error)
            }
        }
        let configuration = draft.finish()
        let diagnostics = draft.diagnostics.all
        guard !draft.diagnostics.hasErrors else { throw ConfigurationError(diagnostics: diagnostics) }
        return (configuration, diagnostics)
    }
}

/// The sections of `mqtt.conf`.
private enum BrokerSection: String, CaseIterable, IniSection {
    case broker = "Broker"
    case board = "Board"
    case fleet = "Fleet"
    case ruter = "Ruter"

    init(_ heading: String) throws(BadValue) {
        guard let section = BrokerSection(rawValue: heading) else {
            throw .unknownSection(heading, among: BrokerSection.allCases.map(\.rawValue), in: BrokerSection.self)
        }
        self = section
    }

    static var all: [(heading: String, keys: [String])] { allCases.map { ($0.description, $0.keys) } }

    var table: [Key<BrokerConfiguration>] {
        switch self {
        case .broker: KeyTable.broker
        case .board: KeyTable.board
        case .fleet: KeyTable.fleet
        case .ruter: KeyTable.ruter
        }
    }

    var keys: [String] { table.map(\.name) }
    var description: String { "[\(rawValue)]" }

    /// The purpose of the section, for mqtt.conf(5).
    var documentation: String {
        switch self {
        case .broker: "This section specifies the broker, and how tacet-mqtt(8) connects to it."
        case .board: "This section specifies how the board appears at the broker."
        case .fleet: "This section limits what the broker may do."
        case .ruter:
            """
            With this section, the board takes part in Ruter's vehicle API at the broker of a vehicle of public \
            transport. See tacet-mqtt(8). Each function needs its topic and the sound or signal that belongs to it.
            """
        }
    }
}

extension SectionDocumentation {
    /// All sections of `mqtt.conf` in the order of the vendor's file.
    public static var broker: [SectionDocumentation] {
        BrokerSection.allCases.map { section in
            SectionDocumentation(
                heading: section.description, text: section.documentation,
                keys: section.table.map { $0.documentation(BrokerConfiguration()) })
        }
    }
}

/// The draft of the configuration in `mqtt.conf`.
private struct BrokerDraft: IniDraft {
    /// No two sections share a key.
    private var section = SectionDraft(builtIn: BrokerConfiguration())
    var diagnostics = DiagnosticList()

    mutating func open(_ section: BrokerSection, at place: Place) -> Bool { true }

    mutating func set(_ key: String, _ value: String, in section: BrokerSection, at place: Place) -> Bool {
        guard let key = section.table.first(where: { $0.name == key }) else { return false }
        self.section.apply(value, to: key, at: place).map { diagnostics.append($0) }
        return true
    }

    /// Checks the conditions that involve several keys.
    mutating func finish() -> BrokerConfiguration {
        var configuration = section.settings
        for (key, path) in [
            ("CertificateAuthority", \BrokerConfiguration.broker.authorities), ("Certificate", \.broker.certificate),
            ("PrivateKey", \.broker.privateKey),
        ] {
            guard let place = section.places[key] else { continue }
            configuration[keyPath: path] = Draft.resolve(configuration[keyPath: path], from: place)
            if !configuration.broker.isEncrypted {
                report(key, "\(key)= has no effect without TLS=yes", "write TLS=yes, or remove it")
            }
        }
        let (broker, board) = (configuration.broker, configuration.board)
        if broker.certificate.isEmpty != broker.privateKey.isEmpty {
            let given = broker.certificate.isEmpty ? "PrivateKey" : "Certificate"
            report(given, "a certificate and its private key belong together", "set Certificate= and PrivateKey=")
        }
        let host = broker.host
        if !broker.user.isEmpty, !broker.isEncrypted, !BrokerDraft.isThisMachine(host) {
            report(
                "User", "the password of the user \(broker.user) is sent unencrypted",
                "write TLS=yes, so that nobody on the network can read it", .warning)
        }
        // An IPv6 address has more than one colon.
        if host.contains("/") || host.count(where: { $0 == ":" }) == 1 {
            report("Host", "Host=\(host) is not a name or an address", "write only that, and set Port= and TLS=")
        }
        if let twice = board.groups.first(where: { $0 == "all" || $0 == board.name }) {
            report("Groups", "\(twice) is not a group, because it addresses every board or this one", "remove it")
        }
        if board.name == "all" {
            report("Name", "Name=all addresses every board", "choose another name")
        }
        let file = board.prometheusFile
        if !file.isEmpty, !file.hasPrefix("/") || !file.hasSuffix(".prom") {
            report("PrometheusFile", "the file needs an absolute path that ends in .prom", "/var/lib/prometheus/…")
        }
        finishRuter(configuration.ruter)
        return configuration
    }

    private mutating func finishRuter(_ ruter: BrokerConfiguration.Ruter) {
        for (topic, place, partner, other) in [
            (ruter.audioTopic, "AudioTopic", "Sound", ruter.sound),
            (ruter.stopTopic, "StopTopic", "StopSignal", ruter.stopSignal),
            (ruter.doorTopic, "DoorTopic", "DoorSignal", ruter.doorSignal),
        ] where topic.isEmpty != other.isEmpty {
            report(topic.isEmpty ? partner : place, "\(place)= and \(partner)= belong together", "set both")
        }
        if !ruter.accessibleStopSignal.isEmpty, ruter.stopTopic.isEmpty {
            report("AccessibleStopSignal", "AccessibleStopSignal= has no effect without StopTopic=", "set StopTopic=")
        }
        let server = ruter.audioServer
        // Without the slash, the name of another host could begin with this one.
        if !server.isEmpty, !["http://", "https://"].contains(where: server.hasPrefix) || !server.hasSuffix("/") {
            report("AudioServer", "AudioServer= is not the start of a URL", "write http://webserver.local/resources/")
        } else if ["/./", "/../", "%2e"].contains(where: server.lowercased().contains) {
            report(
                "AudioServer", "AudioServer= has a segment ‘.’ or ‘..’, or an encoded dot",
                "write the path without them")
        }
    }

    /// Returns true if a host's messages stay on this machine.
    private static func isThisMachine(_ host: String) -> Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    private mutating func report(
        _ key: String, _ message: String, _ advice: String, _ severity: Diagnostic.Severity = .error
    ) {
        guard let place = section.places[key] else { return }
        diagnostics.append(Diagnostic(severity, at: place, message, advice: advice))
    }
}
