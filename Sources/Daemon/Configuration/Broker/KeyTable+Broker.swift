import AudioSession

/// The keys of `mqtt.conf`.
extension KeyTable {
    static let broker: [Key<BrokerConfiguration>] = [
        Key(
            "Host", \.broker.host, .text(upTo: 255),
            "Specifies the name or address of the broker. Without this setting, tacet-mqtt does not start."),
        Key(
            "Port", optional: \.broker.port, .count(1...65_535),
            withoutValue: .described("8883 with TLS=yes and to 1883 otherwise"),

            "Specifies the port of the broker."),
        Key(
            "Protocol", \.broker.version, .choice(),
            """
            Specifies the version of MQTT. With 3.1.1, the broker does not keep anything for a board that is away, \
            because that version cannot limit for how long.
            """),
        Key(
            "ClientID", \.broker.clientID, .text(upTo: 255),
            withoutValue: .described("tacet- followed by the name of the board"),
            """
            Specifies the name of the client at the broker. No two clients of a broker may have the same name.
            """
        ),
        Key(
            "User", \.broker.user, .text(upTo: 255),
            "Specifies the user name with which tacet-mqtt logs in to the broker."),
        Key(
            "Password", \.broker.password, .text(upTo: 4000),
            """
            Specifies where the password of User= is stored. The value is the name of a credential, which \
            LoadCredential= in a drop-in of the unit provides, or the absolute path of a file that the user \
            tacet-mqtt can read. The password is the first line.
            """),
        Key(
            "TLS", \.broker.isEncrypted, .boolean,
            "If enabled, the connection is encrypted, and the certificate of the broker is verified."),
        Key(
            "CertificateAuthority", \.broker.authorities, .text(upTo: 4000),
            withoutValue: .described("the certificates that the system trusts"),
            """
            Specifies the file with the certificates of the authorities that may sign the certificate of the broker.
            """),
        Key(
            "Certificate", \.broker.certificate, .text(upTo: 4000),
            "Specifies the file with the certificate of the board, for a broker that requires one."),
        Key(
            "PrivateKey", \.broker.privateKey, .text(upTo: 4000),
            """
            Specifies the file with the private key of Certificate=. Only the user tacet-mqtt should be able to read \
            it.
            """),
        Key(
            "KeepAlive", \.broker.keepAlive, .time(.seconds(5) ... .seconds(3600)),
            """
            Specifies how long the connection may be silent. If the broker or the network fails, tacet-mqtt notices \
            it after up to twice this time.
            """),
        Key(
            "SessionExpiry", \.broker.sessionExpiry, .time(.zero ... .seconds(7 * 86_400)),
            """
            Specifies how long the broker keeps commands and announcements for a board that is away. An announcement \
            that has expired meanwhile is not played. A command is executed late, unless it has an expires_at.
            """),
    ]

    static let board: [Key<BrokerConfiguration>] = [
        Key(
            "Prefix", \.board.prefix, .topicName, "Specifies the first part of all topics."),
        Key(
            "Name", \.board.name, .topicName, withoutValue: .described("the host name"),
            """
            Specifies the name of the board in topics. No two boards of a fleet may have the same name.
            """),
        Key(
            "Groups", \.board.groups, .topicNames,
            """
            Specifies the groups to which the board belongs. Commands, announcements and signals for these groups are \
            also for this board.
            """),
        Key(
            "TrustClock", \.board.trustsClock, .choice(),
            """
            Specifies when the wall clock is trusted. With auto, it is trusted while the kernel reports that it is \
            synchronised, and requests with an expires_at are refused otherwise. With yes, it is always trusted, \
            which is meant for a board whose clock is set by something other than the kernel's time synchronisation.
            """),
        Key(
            "Discovery", \.board.announcesItself, .boolean,
            """
            If enabled, the board announces itself to Home Assistant, with its state, volume, source, buttons and \
            announcements. tacet-mqtt(8) describes how to combine them into a media player.
            """),
        Key(
            "DiscoveryPrefix", \.board.discoveryPrefix, .topicName,
            "Specifies the topic prefix that Home Assistant uses for discovery."),
        Key(
            "PrometheusFile", \.board.prometheusFile, .text(upTo: 4000),
            """
            Specifies the file that tacet-mqtt writes for the textfile collector of Prometheus' node_exporter. The \
            path must be absolute and end in .prom, and the unit needs ReadWritePaths= for the folder.
            """),
    ]
}

extension KeyTable {
    static let fleet: [Key<BrokerConfiguration>] = [
        Key(
            "MaximumPriority", \.maximumPriority, .count(SoundPolicy.priorities),
            """
            Specifies the highest priority of an announcement from the broker. A higher priority is lowered to this \
            one, even if it is that of the [Sound]. Keep this value below the Priority= of the signals whose Cue= \
            must not be silenced.
            """)
    ]

    static let ruter: [Key<BrokerConfiguration>] = [
        Key(
            "AudioTopic", \.ruter.audioTopic, .topic,
            "Specifies the topic whose messages contain audio for passengers, such as pe/audio."),
        Key(
            "Sound", \.ruter.sound, .text(upTo: 100),
            """
            Specifies the [Sound] of tacet.conf whose settings apply to this audio, such as its level, its priority \
            and its effect on the music.
            """),
        Key(
            "Speakers", \.ruter.speakers, .topicNames,
            "Specifies the groups of speakers that this board drives. Audio for other groups is not played."),
        Key(
            "AudioServer", \.ruter.audioServer, .text(upTo: 1000),
            """
            Specifies the beginning of the URLs from which audio may be downloaded, such as \
            http://webserver.local/resources/. Nothing is downloaded from elsewhere. Downloads need the program curl.
            """),
        Key(
            "StopTopic", \.ruter.stopTopic, .topic,
            "Specifies the topic to which stop requests of passengers are reported, such as sensors/stop_button."),
        Key(
            "StopSignal", \.ruter.stopSignal, .text(upTo: 100),
            "Specifies the signal of tacet.conf that is active during a stop request."),
        Key(
            "AccessibleStopSignal", \.ruter.accessibleStopSignal, .text(upTo: 100),
            """
            Specifies the signal of tacet.conf that is active during a stop request by somebody who needs more time.
            """),
        Key(
            "DoorTopic", \.ruter.doorTopic, .topic,
            "Specifies the topic to which open doors are reported, such as sensors/door."),
        Key(
            "DoorSignal", \.ruter.doorSignal, .text(upTo: 100),
            "Specifies the signal of tacet.conf that is active while a door is open."),
    ]
}

extension BrokerConfiguration.ProtocolVersion: DocumentedValue {}
extension BrokerConfiguration.ClockTrust: DocumentedValue {}

extension ValueKind<String> {
    /// A topic with any number of levels.
    fileprivate static var topic: ValueKind<String> {
        ValueKind(values: "a topic of at most 1000 bytes, without blanks, + and #") { (text) throws(BadValue) in
            guard BrokerConfiguration.isTopic(text) else {
                throw BadValue(
                    problem: "is no topic", advice: "write a topic of at most 1000 bytes, without blanks, + and #")
            }
            return text
        }
    }

    /// One level of a topic.
    fileprivate static var topicName: ValueKind<String> {
        ValueKind(values: "a name of at most 64 bytes, without blanks, /, + and #") { (text) throws(BadValue) in
            guard BrokerConfiguration.isTopicName(text) else {
                throw BadValue(
                    problem: "cannot be a part of a topic",
                    advice: "write a name of at most 64 bytes, without blanks, /, + and #")
            }
            return text
        }
    }
}

extension ValueKind<[String]> {
    fileprivate static var topicNames: ValueKind<[String]> {
        let name = ValueKind<String>.topicName
        return ValueKind(values: "a list of at most 16 names, separated by blanks") { (text) throws(BadValue) in
            var names: [String] = []
            guard !text.contains(",") else {
                throw BadValue(problem: "has a comma", advice: "separate the names by blanks")
            }
            for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init) {
                names.append(try name.parse(word))
            }
            guard names.count <= 16 else {
                throw BadValue(problem: "names \(names.count) groups", advice: "at most 16 are allowed")
            }
            return names
        }
    }
}
