import AudioSession
import Clocks
import Configuration
import Files
import Fleet
import Glibc
import MQTT
import Release
import Systemd

/// The settings that follow from the configuration on this machine.
struct BridgeSettings: Sendable {
    let agent: FleetAgent.Settings
    /// The file that stores the ids.
    let idFile: String
    /// The folder that stores the sound files of announcements.
    let audioFolder: String
    /// The folder of the files that Tacet has not read yet. If systemd has created it, it is in memory.
    let stagingFolder: String
    /// The file in which `tacet health` finds the problems, or nil if there is none.
    let problemFile: String?
    /// The file for Prometheus, or nil if there is none.
    let prometheusFile: String?
    private let broker: BrokerConfiguration.Broker
    private let trustsClock: Bool

    /// An error that is described for people.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Throws: `Failure` if the board has no usable name.
    init(_ configuration: BrokerConfiguration) throws(Failure) {
        broker = configuration.broker
        let own = configuration.board
        trustsClock = own.trustsClock == .yes
        let board = own.name.isEmpty ? BridgeSettings.hostName : own.name
        guard BrokerConfiguration.isTopicName(board) else {
            throw Failure(description: "the host name ‘\(board)’ cannot be part of a topic: write Name= in [Board]")
        }
        guard board != FleetTopics.everyBoard, !own.groups.contains(board) else {
            throw Failure(
                description:
                    "the board cannot have the name ‘\(board)’, which also addresses others: write Name= in [Board]")
        }
        agent = FleetAgent.Settings(
            topics: FleetTopics(prefix: own.prefix, board: board, groups: own.groups),
            discoveryPrefix: own.announcesItself ? own.discoveryPrefix : nil,
            version: Release.version, maximumPriority: configuration.maximumPriority,
            ruter: RuterSettings(configuration.ruter), broker: "\(broker.host):\(broker.effectivePort)")
        let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "."
        idFile = "\(folder)/obeyed"
        audioFolder = getenv("CACHE_DIRECTORY").map { String(cString: $0) } ?? folder
        let runtime = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }
        stagingFolder = runtime.map { "\($0)/audio" } ?? "\(audioFolder)/waiting"
        problemFile = runtime.map { "\($0)/problems" }
        prometheusFile = given(own.prometheusFile)
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Reads the password and returns the settings of the connection.
    func connection() throws -> MQTTSettings {
        var settings = MQTTSettings()
        settings.host = broker.host
        if broker.isEncrypted {
            settings.tls = MQTTSettings.TLS(
                authorities: given(broker.authorities), certificate: given(broker.certificate),
                privateKey: given(broker.privateKey))
        }
        settings.port = UInt16(broker.effectivePort)
        settings.version = broker.version == .v5 ? .v5 : .v311
        let board = agent.topics.board
        settings.clientID = broker.clientID.isEmpty ? "tacet-\(board)" : broker.clientID
        if !broker.user.isEmpty {
            settings.user = broker.user
            settings.password = try password()
        }
        settings.keepAlive = UInt16(broker.keepAlive / .seconds(1))
        settings.sessionExpiry = UInt32(broker.sessionExpiry / .seconds(1))
        settings.will = FleetAgent.will(agent.topics)
        return settings
    }

    /// The reasons why this process cannot read files that the configuration names, as messages for people. Credentials
    /// are not examined, because only the service has them.
    var unreadableFiles: [String] {
        var files = [
            ("CertificateAuthority", broker.authorities), ("Certificate", broker.certificate),
            ("PrivateKey", broker.privateKey),
        ]
        if !broker.user.isEmpty, isPasswordInFile {
            files.append(("Password", broker.password))
        }
        return files.compactMap { key, path in
            path.isEmpty || access(path, R_OK) == 0 ? nil : "\(key)=: \(FileError("read", path))"
        }
    }

    /// The problems with the certificates that this process can read, as messages for people.
    var badCertificates: [String] {
        func problem(_ key: String, _ path: String, _ check: (String) -> String?) -> String? {
            guard !path.isEmpty, access(path, R_OK) == 0 else { return nil }
            return check(path).map { "\(key)=\(path): \($0)" }
        }
        return [
            problem("CertificateAuthority", broker.authorities, CertificateFile.problem(ofAuthorities:)),
            problem("Certificate", broker.certificate, CertificateFile.problem(ofClient:)),
        ].compactMap { $0 }
    }

    /// True if Password= is the path of a file, or false if it names a credential.
    private var isPasswordInFile: Bool { broker.password.hasPrefix("/") }

    private func password() throws(Failure) -> String? {
        let name = broker.password
        let folder = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        let path = isPasswordInFile ? name : "\(folder ?? "/run/credentials/tacet-mqtt.service")/\(name)"
        if let line = OpenFile.firstLine(of: path) { return line }
        let advice =
            isPasswordInFile
            ? "is it there, and may the user tacet-mqtt read it?"
            : "set LoadCredential=\(name):FILE in a drop-in of tacet-mqtt.service"
        throw Failure(
            description: "cannot read the password of the user \(broker.user) in \(path): \(advice)")
    }

    /// The current time.
    var now: Instant {
        Instant(
            monotonic: SystemClock.monotonic.now, wallClock: SystemClock.wallClock,
            isSynchronised: trustsClock || SystemClock.isWallClockSynchronised)
    }
}

extension RuterSettings {
    fileprivate init(_ ruter: BrokerConfiguration.Ruter) {
        self.init(
            audio: given(ruter.audioTopic).map {
                Audio(
                    topic: $0, sound: SoundID(ruter.sound), speakers: Set(ruter.speakers),
                    server: given(ruter.audioServer))
            },
            stopRequest: given(ruter.stopTopic).map {
                StopRequest(
                    topic: $0, signal: SignalID(ruter.stopSignal),
                    accessibleSignal: given(ruter.accessibleStopSignal).map { SignalID($0) })
            },
            door: given(ruter.doorTopic).map { Door(topic: $0, signal: SignalID(ruter.doorSignal)) })
    }
}

/// Returns a setting, or nil if it is empty.
private func given(_ text: String) -> String? { text.isEmpty ? nil : text }
