import Spelling

extension BrokerConfiguration {
    /// Reads `mqtt.conf` and its drop-ins; later files override earlier ones key by key.
    /// - Throws: all mistakes in all files at once, or the reason why no file could be read.
    public static func load(
        _ source: ConfigurationSource
    ) throws(ConfigurationError) -> (configuration: BrokerConfiguration, warnings: [Diagnostic]) {
        let search = FileSearch(source, name: "mqtt.conf")
        var draft = BrokerDraft()
        draft.diagnostics = search.problems
        for path in search.files {
            do throws(Diagnostic) {
                draft.add(IniDocument(bytes: try InputFile.read(path), file: path))
            } catch {
                draft.diagnostics.append(error)
            }
        }
        let configuration = draft.finish()
        guard draft.diagnostics.allSatisfy({ $0.severity == .warning }) else {
            throw ConfigurationError(diagnostics: draft.diagnostics)
        }
        return (configuration, draft.diagnostics)
    }
}

/// `mqtt.conf` under construction.
private struct BrokerDraft {
    private static let sections = [
        "Broker": KeyTable.broker, "Board": KeyTable.board, "Fleet": KeyTable.fleet, "Ruter": KeyTable.ruter,
    ]

    /// No two sections share a key.
    private var section = SectionDraft(builtIn: BrokerConfiguration())
    var diagnostics: [Diagnostic] = []

    mutating func add(_ document: IniDocument) {
        diagnostics += document.problems
        /// nil below a bad heading, which has been reported.
        var heading: String? = ""
        for item in document.items {
            let place = Place(file: document.file, line: item.line)
            switch item.content {
            case .unreadableSection: heading = nil
            case .section(let name):
                heading = BrokerDraft.sections[name] == nil ? nil : name
                if heading == nil {
                    report(unknown: "section", name, among: Array(BrokerDraft.sections.keys), at: place)
                }
            case .setting(let key, let value):
                guard let heading else { break }
                guard let keys = BrokerDraft.sections[heading] else {
                    diagnostics.append(
                        Diagnostic(
                            .error, at: place, "\(key)= comes before the first section",
                            advice: "write [Broker], [Board], [Fleet] or [Ruter] above it"))
                    break
                }
                guard let known = keys.first(where: { $0.name == key }) else {
                    report(unknown: "key", key, among: keys.map(\.name), at: place)
                    break
                }
                if let diagnostic = section.apply(value, to: known, at: place) { diagnostics.append(diagnostic) }
            }
        }
    }

    private mutating func report(unknown kind: String, _ name: String, among known: [String], at place: Place) {
        diagnostics.append(
            Diagnostic(
                .error, at: place, "unknown \(kind) ‘\(name)’",
                advice: Spelling.suggestion(for: name, in: known)
                    ?? "there are \(known.sorted().joined(separator: ", "))"))
    }

    /// Checks what concerns several keys.
    mutating func finish() -> BrokerConfiguration {
        var configuration = section.settings
        for (key, path) in [
            ("CertificateAuthority", \BrokerConfiguration.authorities), ("Certificate", \.certificate),
            ("PrivateKey", \.privateKey),
        ] {
            guard let place = section.places[key] else { continue }
            configuration[keyPath: path] = Draft.resolve(configuration[keyPath: path], from: place)
            if !configuration.isEncrypted {
                report(key, "\(key)= has no effect without TLS=yes", "write TLS=yes, or remove it")
            }
        }
        if configuration.certificate.isEmpty != configuration.privateKey.isEmpty {
            let given = configuration.certificate.isEmpty ? "PrivateKey" : "Certificate"
            report(given, "a certificate and its private key belong together", "set Certificate= and PrivateKey=")
        }
        let host = configuration.host
        if !configuration.user.isEmpty, !configuration.isEncrypted, !BrokerDraft.isThisMachine(host) {
            report(
                "User", "the password of the user \(configuration.user) is sent unencrypted",
                "write TLS=yes, so that nobody on the network can read it", .warning)
        }
        // An IPv6 address has more than one colon.
        if host.contains("/") || host.count(where: { $0 == ":" }) == 1 {
            report("Host", "Host=\(host) is no name or address", "write only that, and set Port= and TLS=")
        }
        if let twice = configuration.groups.first(where: { $0 == "all" || $0 == configuration.board }) {
            report("Groups", "\(twice) is no group: it addresses every board, or this one", "remove it")
        }
        if configuration.board == "all" {
            report("Name", "Name=all addresses every board", "choose another name")
        }
        let file = configuration.prometheusFile
        if !file.isEmpty, !file.hasPrefix("/") || !file.hasSuffix(".prom") {
            report("PrometheusFile", "the file needs an absolute path that ends in .prom", "/var/lib/prometheus/…")
        }
        finishRuter(configuration)
        return configuration
    }

    private mutating func finishRuter(_ configuration: BrokerConfiguration) {
        for (topic, place, partner, other) in [
            (configuration.audioTopic, "AudioTopic", "Sound", configuration.audioSound),
            (configuration.stopTopic, "StopTopic", "StopSignal", configuration.stopSignal),
            (configuration.doorTopic, "DoorTopic", "DoorSignal", configuration.doorSignal),
        ] where topic.isEmpty != other.isEmpty {
            report(topic.isEmpty ? partner : place, "\(place)= and \(partner)= belong together", "set both")
        }
        if !configuration.accessibleStopSignal.isEmpty, configuration.stopTopic.isEmpty {
            report("AccessibleStopSignal", "AccessibleStopSignal= has no effect without StopTopic=", "set StopTopic=")
        }
        let server = configuration.audioServer
        // Without the slash, another host's name could begin like this one.
        if !server.isEmpty, !["http://", "https://"].contains(where: server.hasPrefix) || !server.hasSuffix("/") {
            report("AudioServer", "AudioServer= is no start of a URL", "write http://webserver.local/resources/")
        } else if ["/./", "/../", "%2e"].contains(where: server.lowercased().contains) {
            report(
                "AudioServer", "AudioServer= has a segment ‘.’ or ‘..’, or an encoded dot",
                "write the path without them")
        }
    }

    /// A Boolean value that indicates whether a host's messages stay on this machine.
    private static func isThisMachine(_ host: String) -> Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    private mutating func report(
        _ key: String, _ message: String, _ advice: String, _ severity: Diagnostic.Severity = .error
    ) {
        guard let place = section.places[key] else { return }
        diagnostics.append(Diagnostic(severity, at: place, message, advice: advice))
    }
}
