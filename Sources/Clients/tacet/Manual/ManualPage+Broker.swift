import Configuration

extension ManualPage {
    /// Writes `mqtt.conf.5`.
    init(broker sections: [SectionDocumentation]) {
        self.init(BrokerManual.name, 5, "configuration of the connection of Tacet to an MQTT broker")
        section("SYNOPSIS")
        verbatim(BrokerManual.synopsis)
        section("DESCRIPTION")
        write(BrokerManual.description)
        for documentation in sections { write(documentation) }
        section("CREDENTIALS")
        write([BrokerManual.credentials])
        verbatim(BrokerManual.credential)
        write([BrokerManual.certificates])
        section("EXAMPLES")
        write(["Connect to a broker with TLS as a board of the groups depot-1 and trams:"])
        verbatim(BrokerManual.example)
        write(["Play announcements and report stop requests and doors in a vehicle of public transport:"])
        verbatim(BrokerManual.vehicle)
        write([BrokerManual.check])
        seeAlso([("tacet.conf", 5), ("systemd.exec", 5), ("systemd.time", 7), ("tacet-mqtt", 8), ("tacetd", 8)])
    }
}

/// The parts of mqtt.conf(5) that do not come from the table of keys.
enum BrokerManual {
    static let name = "mqtt.conf"

    static let synopsis = """
        /etc/tacet/mqtt.conf
        /etc/tacet/mqtt.conf.d/*.conf
        /usr/lib/tacet/mqtt.conf
        """

    static let description = [
        """
        These files configure tacet-mqtt(8), which connects a board to the MQTT broker of a fleet and reads them when it \
        starts. The format, the order of the files and the notation of values are those of tacet.conf(5), with the name \
        mqtt.conf instead of tacet.conf. Tacet does not need these files without a broker.
        """,
        """
        If there are errors, tacet-mqtt does not start, and the journal contains each error with its file and line. Use \
        /usr/lib/tacet/tacet-mqtt --check to find them beforehand.
        """,
    ]

    static let credentials = """
        A password should be stored as a credential, as described in systemd.exec(5). Use systemctl edit tacet-mqtt to \
        create a drop-in:
        """

    static let credential = """
        [Service]
        LoadCredential=mqtt-password:/etc/tacet/mqtt-password
        """

    static let certificates = """
        Certificates and private keys must be readable by the user tacet-mqtt. They are read again each time tacet-mqtt \
        connects.
        """

    static let example = """
        [Broker]
        Host=broker.example.org
        TLS=yes
        User=bus-7

        [Board]
        Groups=depot-1 trams

        [Fleet]
        MaximumPriority=35
        """

    static let vehicle = """
        [Broker]
        Host=192.0.2.1

        [Ruter]
        AudioTopic=pe/audio
        Sound=next-stop
        Speakers=INTERNAL
        AudioServer=http://webserver.local/resources/
        StopTopic=sensors/stop_button
        StopSignal=stop-request
        DoorTopic=sensors/door
        DoorSignal=door-open
        """

    static let check = """
        The sound next-stop and the signals stop-request and door-open are sections of tacet.conf(5). Use systemctl \
        restart tacet-mqtt to apply a change.
        """
}
