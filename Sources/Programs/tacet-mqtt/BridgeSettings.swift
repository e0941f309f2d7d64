import AudioSession
import Clocks
import Configuration
import Files
import Fleet
import Glibc
import MQTT
import Release
import Systemd

/// What the configuration means on this machine.
struct BridgeSettings: Sendable {
    let agent: FleetAgent.Settings
    /// Where the ids are kept.
    let idFile: String
    /// Where the sound files of announcements are kept.
    let audioFolder: String
    /// Where they are until Tacet has read them: in memory, if systemd has made the folder.
    let stagingFolder: String
    /// Where `tacet health` finds the problems; nil: nowhere.
    let problemFile: String?
    /// For Prometheus; nil: none.
    let prometheusFile: String?
    private let configuration: BrokerConfiguration

    /// A message for people.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Throws: `Failure` if the board has no usable name.
    init(_ configuration: BrokerConfiguration) throws(Failure) {
        self.configuration = configuration
        let board = configuration.board.isEmpty ? BridgeSettings.hostName : configuration.board
        guard BrokerConfiguration.isTopicName(board) else {
            throw Failure(description: "the host name ‘\(board)’ cannot be part of a topic: write Name= in [Board]")
        }
        guard board != FleetTopics.everyBoard, !configuration.groups.contains(board) else {
            throw Failure(
                description:
                    "the board cannot have the name ‘\(board)’, which addresses others, too: write Name= in [Board]")
        }
        agent = FleetAgent.Settings(
            topics: FleetTopics(prefix: configuration.prefix, board: board, groups: configuration.groups),
            discoveryPrefix: configuration.announcesItself ? configuration.discoveryPrefix : nil,
            version: Release.version, maximumPriority: configuration.maximumPriority,
            ruter: RuterSettings(configuration), broker: "\(configuration.host):\(configuration.effectivePort)")
        let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "."
        idFile = "\(folder)/obeyed"
        audioFolder = getenv("CACHE_DIRECTORY").map { String(cString: $0) } ?? folder
        let runtime = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }
        stagingFolder = runtime.map { "\($0)/audio" } ?? "\(audioFolder)/waiting"
        problemFile = runtime.map { "\($0)/problems" }
        prometheusFile = given(configuration.prometheusFile)
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// How to connect. Reads the password.
    func connection() throws -> MQTTSettings {
        var settings = MQTTSettings()
        settings.host = configuration.host
        if configuration.isEncrypted {
            settings.tls = MQTTSettings.TLS(
                authorities: given(configuration.authorities), certificate: given(configuration.certificate),
                privateKey: given(configuration.privateKey))
        }
        settings.port = UInt16(configuration.effectivePort)
        settings.version = configuration.version == .v5 ? .v5 : .v311
        let board = agent.topics.board
        settings.clientID = configuration.clientID.isEmpty ? "tacet-\(board)" : configuration.clientID
        if !configuration.user.isEmpty {
            settings.user = configuration.user
            settings.password = try password()
        }
        settings.keepAlive = UInt16(configuration.keepAlive / .seconds(1))
        settings.sessionExpiry = UInt32(configuration.sessionExpiry / .seconds(1))
        settings.will = FleetAgent.will(agent.topics)
        return settings
    }

    /// Why this process cannot read files that the configuration names, for people. Credentials are not looked at: only
    /// the service has them.
    var unreadableFiles: [String] {
        var files = [
            ("CertificateAuthority", configuration.authorities), ("Certificate", configuration.certificate),
            ("PrivateKey", configuration.privateKey),
        ]
        if !configuration.user.isEmpty, isPasswordInFile {
            files.append(("Password", configuration.password))
        }
        return files.compactMap { key, path in
            path.isEmpty || access(path, R_OK) == 0 ? nil : "\(key)=: \(FileError("read", path))"
        }
    }

    /// What is wrong with the certificates that this process can read, for people.
    var badCertificates: [String] {
        func problem(_ key: String, _ path: String, _ check: (String) -> String?) -> String? {
            guard !path.isEmpty, access(path, R_OK) == 0 else { return nil }
            return check(path).map { "\(key)=\(path): \($0)" }
        }
        return [
            problem("CertificateAuthority", configuration.authorities, CertificateFile.problem(ofAuthorities:)),
            problem("Certificate", configuration.certificate, CertificateFile.problem(ofClient:)),
        ].compactMap { $0 }
    }

    /// Whether Password= is the path of a file; otherwise it names a credential.
    private var isPasswordInFile: Bool { configuration.password.hasPrefix("/") }

    private func password() throws(Failure) -> String? {
        let name = configuration.password
        let folder = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        let path = isPasswordInFile ? name : "\(folder ?? "/run/credentials/tacet-mqtt.service")/\(name)"
        if let line = OpenFile.firstLine(of: path) { return line }
        let advice =
            isPasswordInFile
            ? "is it there, and may the user tacet-mqtt read it?"
            : "set LoadCredential=\(name):FILE in a drop-in of tacet-mqtt.service"
        throw Failure(
            description: "cannot read the password of the user \(configuration.user) in \(path): \(advice)")
    }

    /// The present time.
    var now: Instant {
        Instant(
            monotonic: SystemClock.monotonic.now, wallClock: SystemClock.wallClock,
            isSynchronised: configuration.trustsClock == .yes || SystemClock.isWallClockSynchronised)
    }
}

extension RuterSettings {
    fileprivate init(_ configuration: BrokerConfiguration) {
        self.init(
            audio: given(configuration.audioTopic).map {
                Audio(
                    topic: $0, sound: SoundID(configuration.audioSound), speakers: Set(configuration.speakers),
                    server: given(configuration.audioServer))
            },
            stopRequest: given(configuration.stopTopic).map {
                StopRequest(
                    topic: $0, signal: SignalID(configuration.stopSignal),
                    accessibleSignal: given(configuration.accessibleStopSignal).map { SignalID($0) })
            },
            door: given(configuration.doorTopic).map { Door(topic: $0, signal: SignalID(configuration.doorSignal)) })
    }
}

/// An empty setting is none.
private func given(_ text: String) -> String? { text.isEmpty ? nil : text }
