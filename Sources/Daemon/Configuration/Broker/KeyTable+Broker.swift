import AudioSession

/// The keys of `mqtt.conf`.
extension KeyTable {
    static let broker: [Key<BrokerConfiguration>] = [
        Key(
            "Host", \.broker.host, .text(upTo: 255), since: "0.9.0",
            "The broker's name or address. Without one, tacet-mqtt does not start."),
        Key(
            "Port", optional: \.broker.port, .count(1...65_535), withoutValue: "8883 with TLS, 1883 without",
            since: "0.9.0",
            "The broker's port."),
        Key(
            "Protocol", \.broker.version, .choice(), since: "0.9.0",
            """
            MQTT's version. With 3.1.1 the broker keeps nothing for a board that is away, because that version cannot \
            limit for how long.
            """),
        Key(
            "ClientID", \.broker.clientID, .text(upTo: 255), since: "0.9.0",
            "The client's name at the broker: tacet- and the board's name by default. No two clients may have the same."
        ),
        Key(
            "User", \.broker.user, .text(upTo: 255), since: "0.9.0",
            "The user's name at the broker; without one, none is sent."),
        Key(
            "Password", \.broker.password, .text(upTo: 4000), since: "0.9.0",
            """
            Where the user's password is: the name of a credential (LoadCredential= in a drop-in of the unit), or the \
            absolute path of a file that the user tacet-mqtt can read. Its first line is the password.
            """),
        Key(
            "TLS", \.broker.isEncrypted, .boolean, since: "0.9.0",
            "Whether to encrypt the connection, and to check the broker."),
        Key(
            "CertificateAuthority", \.broker.authorities, .text(upTo: 4000), since: "0.9.0",
            "The file with the certificates of the authorities that may sign the broker's; by default the system's."),
        Key(
            "Certificate", \.broker.certificate, .text(upTo: 4000), since: "0.9.0",
            "The file with the board's own certificate, for a broker that asks for one."),
        Key(
            "PrivateKey", \.broker.privateKey, .text(upTo: 4000), since: "0.9.0",
            "The file with the private key of Certificate=: only the user tacet-mqtt should be able to read it."),
        Key(
            "KeepAlive", \.broker.keepAlive, .time(.seconds(5) ... .seconds(3600)), since: "0.9.0",
            "How long the connection may be silent. A broker that is gone is noticed after up to twice this long."),
        Key(
            "SessionExpiry", \.broker.sessionExpiry, .time(.zero ... .seconds(7 * 86_400)), since: "0.9.0",
            """
            How long the broker keeps commands and announcements for a board that is away. An announcement that has \
            expired meanwhile is not heard; a command is executed late, unless it has an expires_at.
            """),
    ]

    static let board: [Key<BrokerConfiguration>] = [
        Key(
            "Prefix", \.board.prefix, .topicName, since: "0.9.0", "The first part of all topics."),
        Key(
            "Name", \.board.name, .topicName, since: "0.9.0",
            "The board's name in topics; by default its host name. No two boards of a fleet may have the same."),
        Key(
            "Groups", \.board.groups, .topicNames, since: "0.9.0",
            "The groups whose commands, announcements and signals are for this board, too, separated by blanks."),
        Key(
            "TrustClock", \.board.trustsClock, .choice(), since: "0.9.0",
            """
            Whether the wall clock can be trusted. With auto, only while the kernel says that it is synchronised; until \
            then, announcements with an expires_at are refused. With yes, always: for a board whose clock is set by \
            something that the kernel does not know of.
            """),
        Key(
            "Discovery", \.board.announcesItself, .boolean, since: "0.9.0",
            "Whether the board announces itself to Home Assistant."),
        Key(
            "DiscoveryPrefix", \.board.discoveryPrefix, .topicName, since: "0.9.0", "Home Assistant's prefix for that."),
        Key(
            "PrometheusFile", \.board.prometheusFile, .text(upTo: 4000), since: "0.9.0",
            """
            The absolute path of a file for the textfile collector of Prometheus' node_exporter. Its name must end in \
            .prom, and the unit needs ReadWritePaths= for its folder.
            """),
    ]
}

extension KeyTable {
    static let fleet: [Key<BrokerConfiguration>] = [
        Key(
            "MaximumPriority", \.maximumPriority, .count(SoundPolicy.priorities), since: "0.9.0",
            """
            The highest priority of an announcement from the broker; a higher one, also that of the [Sound], is lowered to \
            it. Keep it below the Priority= of the signals whose Cue= must not be silenced.
            """)
    ]

    static let ruter: [Key<BrokerConfiguration>] = [
        Key(
            "AudioTopic", \.ruter.audioTopic, .topic, since: "0.9.0",
            "The topic whose messages bring audio for the passengers, such as pe/audio."),
        Key(
            "Sound", \.ruter.sound, .text(upTo: 100), since: "0.9.0",
            """
            The [Sound] of tacet.conf that says how loud this is, with which priority, and what the music does.
            """),
        Key(
            "Speakers", \.ruter.speakers, .topicNames, since: "0.9.0",
            "The groups of speakers that this board drives, separated by blanks. Audio for others is not heard."),
        Key(
            "AudioServer", \.ruter.audioServer, .text(upTo: 1000), since: "0.9.0",
            """
            What the URLs of audio must begin with, such as http://webserver.local/resources/: nothing is downloaded from \
            elsewhere. Needs the program curl.
            """),
        Key(
            "StopTopic", \.ruter.stopTopic, .topic, since: "0.9.0",
            "The topic to which the passengers' request to stop is reported, such as sensors/stop_button."),
        Key(
            "StopSignal", \.ruter.stopSignal, .text(upTo: 100), since: "0.9.0",
            "The signal of tacet.conf that is active during a request to stop."),
        Key(
            "AccessibleStopSignal", \.ruter.accessibleStopSignal, .text(upTo: 100), since: "0.9.0",
            "The signal that is active during a request to stop by somebody who needs more time."),
        Key(
            "DoorTopic", \.ruter.doorTopic, .topic, since: "0.9.0",
            "The topic to which open doors are reported, such as sensors/door."),
        Key(
            "DoorSignal", \.ruter.doorSignal, .text(upTo: 100), since: "0.9.0",
            "The signal of tacet.conf that is active while a door is open."),
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
        return ValueKind(values: "at most 16 names, separated by blanks") { (text) throws(BadValue) in
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
