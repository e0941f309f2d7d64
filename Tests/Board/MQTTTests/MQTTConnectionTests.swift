import BrokerLab
import Foundation
import Glibc
import Testing
import Threads

@testable import MQTT

/// libmosquitto against a real mosquitto.
@Suite(.serialized) struct MQTTConnectionTests {
    private func settings(_ port: UInt16, _ change: (inout MQTTSettings) -> Void = { _ in }) -> MQTTSettings {
        var settings = MQTTSettings()
        settings.host = "127.0.0.1"
        settings.port = port
        settings.clientID = "test"
        change(&settings)
        return settings
    }

    /// Waits for an event, for at most a minute.
    private func wait(
        _ connection: MQTTConnection, _ what: String, until matches: (MQTTEvent) -> Bool
    ) -> MQTTEvent? {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            for event in connection.takeEvents() where matches(event) { return event }
            connection.news.wait(.milliseconds(100))
        }
        Issue.record("no \(what)")
        return nil
    }

    private func isConnected(_ event: MQTTEvent) -> Bool { if case .connected = event { true } else { false } }
    private func loss(_ event: MQTTEvent) -> String? {
        if case .disconnected(let loss) = event { loss.reason } else { nil }
    }

    @Test(arguments: [MQTTSettings.ProtocolVersion.v311, .v5])
    func publishesAndReceives(_ version: MQTTSettings.ProtocolVersion) throws {
        let broker = try Broker()
        let settings = settings(broker.port) { $0.version = version }
        let connection = MQTTConnection { settings }
        _ = wait(connection, "connection", until: isConnected)
        connection.subscribe(to: ["a/+"])
        #expect(wait(connection, "grant") { if case .subscribed = $0 { true } else { false } } == .subscribed([true]))
        connection.publish(MQTTPublication("a/b", "hello"))
        let event = wait(connection, "message") { if case .message = $0 { true } else { false } }
        #expect(event == .message(MQTTMessage(topic: "a/b", payload: Array("hello".utf8))))
        #expect(connection.close(within: .seconds(30)))
    }

    @Test func disconnectingPublishesNoWill() throws {
        let broker = try Broker()
        let settings = settings(broker.port) { $0.will = MQTTPublication("gone", "yes", isRetained: true) }
        let witness = try broker.subscribe(["gone"])
        let connection = MQTTConnection { settings }
        _ = wait(connection, "connection", until: isConnected)
        #expect(connection.close(within: .seconds(30)))
        try broker.publish("gone", "no")
        #expect(witness.wait { _ in true } == "0 gone no")
    }

    @Test func responseTopicAndCorrelationArrive() throws {
        let broker = try Broker()
        let settings = settings(broker.port)
        let connection = MQTTConnection { settings }
        _ = wait(connection, "connection", until: isConnected)
        connection.subscribe(to: ["ask"])
        _ = wait(connection, "grant") { if case .subscribed = $0 { true } else { false } }
        try broker.publish(
            "ask", "x",
            options: ["-V", "5", "-D", "publish", "response-topic", "here", "-D", "publish", "correlation-data", "id7"])
        let event = wait(connection, "message") { if case .message = $0 { true } else { false } }
        guard case .message(let message)? = event else { return }
        #expect(message.responseTopic == "here")
        #expect(message.correlation == Array("id7".utf8))
    }

    @Test func reconnectsWhenTheBrokerReturns() throws {
        let broker = try Broker()
        let settings = settings(broker.port)
        let connection = MQTTConnection { settings }
        _ = wait(connection, "connection", until: isConnected)
        broker.stop()
        _ = wait(connection, "loss") { loss($0) != nil }
        // The first attempts fail.
        _ = wait(connection, "failure") { loss($0)?.contains("Connection refused") ?? false }
        try broker.start()
        _ = wait(connection, "connection", until: isConnected)
    }

    @Test func unacknowledgedPublicationIsRepeatedAfterReconnecting() throws {
        let broker = try Broker()
        let settings = settings(broker.port)
        let connection = MQTTConnection { settings }
        _ = wait(connection, "connection", until: isConnected)
        // The broker accepts the message from the network, but does not process it before it is killed.
        broker.freeze()
        connection.publish(MQTTPublication("kept", "yes", isRetained: true))
        broker.stop()
        try broker.start()
        _ = wait(connection, "connection", until: isConnected)
        #expect(try broker.subscribe(["kept"]).wait { _ in true } == "1 kept yes")
    }

    /// A new client replaces one that was refused or has failed too often.
    @Test func newClientPublishesWhatTheFailedOneCouldNot() throws {
        let broker = try Broker()
        let first = try MQTTClient(settings(broker.port))
        for text in ["1", "2"] { try first.publish(MQTTPublication("kept", text, isRetained: true)) }
        let second = try MQTTClient(settings(broker.port), after: first)
        #expect(second.unacknowledged == 2)
        try second.connect()
        let deadline = ContinuousClock.now + .seconds(60)
        while second.unacknowledged > 0, ContinuousClock.now < deadline {
            var ready = pollfd(fd: second.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, 100)
            second.proceed()
            while let event = second.next() {
                if case .connected(let count) = event { #expect(count == 2) }
            }
        }
        #expect(second.unacknowledged == 0)
        #expect(try broker.subscribe(["kept"]).wait { _ in true } == "1 kept 2")
    }

    @Test func wrongPasswordIsReportedAsSuch() throws {
        let broker = try Broker("allow_anonymous false\npassword_file FOLDER/passwords", files: ["passwords": ""])
        for (version, text) in [(MQTTSettings.ProtocolVersion.v5, "Not authorized"), (.v311, "not authorised")] {
            let settings = settings(broker.port) {
                $0.version = version
                ($0.user, $0.password) = ("kiosk", "wrong")
            }
            let connection = MQTTConnection { settings }
            let event = wait(connection, "refusal") { loss($0) != nil }
            let reason = event.flatMap(loss) ?? ""
            #expect(reason.hasPrefix("the broker refuses this client: ") && reason.contains(text), "\(reason)")
        }
    }

    /// Only attempts that reach a broker cost it something.
    @Test func attemptsThatReachTheBrokerAreDistinguished() throws {
        let port = try Broker.freePort()
        #expect(isUnreachable(settings(port)) == true)
        let certificates = try Certificates()
        let broker = try Broker("allow_anonymous true\n" + certificates.settings)
        // The broker expects TLS, or has a certificate that this client does not accept. Either may become known only after
        // the attempt, depending on which side is quicker.
        #expect(isUnreachable(settings(broker.port)) != true)
        #expect(isUnreachable(settings(broker.port) { $0.tls = tls(certificates, authorities: "other") }) != true)
    }

    /// Returns nil if the attempt does not fail at once.
    private func isUnreachable(_ settings: MQTTSettings) -> Bool? {
        do {
            try MQTTClient(settings).connect()
            return nil
        } catch { return error.isUnreachable }
    }

    /// The kernel probes a silent connection, and does not wait for a network that has failed.
    @Test func kernelWatchesTheConnection() throws {
        let broker = try Broker()
        let client = try MQTTClient(settings(broker.port))
        try client.connect()
        let values = [TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_USER_TIMEOUT].map { name in
            var value: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(client.descriptor, Int32(IPPROTO_TCP), name, &value, &size)
            return value
        }
        #expect(values == [10, 2, 5, 10_000])
    }

    @Test func unknownHostIsReported() throws {
        var settings = settings(1)
        settings.host = "no-such-host.invalid"
        let connection = MQTTConnection { [settings] in settings }
        let event = wait(connection, "failure") { loss($0) != nil }
        #expect(event.flatMap(loss)?.hasPrefix("cannot connect to no-such-host.invalid:1: ") ?? false)
    }

    @Test func missingCertificateNamesTheFile() throws {
        let settings = settings(1) { $0.tls = MQTTSettings.TLS(authorities: "/no/such/ca.pem") }
        let connection = MQTTConnection { settings }
        let event = wait(connection, "failure") { loss($0) != nil }
        #expect(event.flatMap(loss) == "cannot read /no/such/ca.pem: No such file or directory")
    }

    // MARK: TLS

    private func tls(
        _ certificates: Certificates, authorities: String = "ca", certificate: String = "board"
    ) -> MQTTSettings.TLS {
        MQTTSettings.TLS(
            authorities: certificates.path("\(authorities).pem"), certificate: certificates.path("\(certificate).pem"),
            privateKey: certificates.path("\(certificate).key"))
    }

    private func reasonOfLoss(_ settings: MQTTSettings) -> String {
        let connection = MQTTConnection { settings }
        return wait(connection, "refusal") { loss($0) != nil }.flatMap(loss) ?? ""
    }

    @Test func certificatesOfBothSidesAreChecked() throws {
        let certificates = try Certificates()
        let broker = try Broker("allow_anonymous true\n" + certificates.settings)
        let settings = settings(broker.port) { $0.tls = tls(certificates) }
        let connection = MQTTConnection { settings }
        _ = wait(connection, "connection", until: isConnected)

        // The broker's certificate is signed by another authority.
        let stranger = reasonOfLoss(self.settings(broker.port) { $0.tls = tls(certificates, authorities: "other") })
        #expect(stranger.contains("no trusted authority has signed"), "\(stranger)")
        // The board's certificate has expired.
        let expired = reasonOfLoss(self.settings(broker.port) { $0.tls = tls(certificates, certificate: "expired") })
        #expect(expired.contains("the certificate of /CN=expired expired on"), "\(expired)")
        // No program listens, which is unrelated to certificates.
        let port = try Broker.freePort()
        let refused = reasonOfLoss(self.settings(port) { $0.tls = tls(certificates) })
        #expect(refused == "cannot connect to 127.0.0.1:\(port): Connection refused")
        // The board does not use TLS.
        let plain = reasonOfLoss(self.settings(broker.port))
        #expect(plain.contains("does it expect TLS at port \(broker.port)?"), "\(plain)")
    }

    @Test func brokerThatDoesNotUseTLSIsReportedAsSuch() throws {
        let certificates = try Certificates()
        let broker = try Broker()
        let reason = reasonOfLoss(settings(broker.port) { $0.tls = tls(certificates) })
        #expect(reason.contains("Does the broker expect TLS at port \(broker.port)"), "\(reason)")
    }

    /// Each rejection is reported with its cause.
    @Test(arguments: [
        ("broker", "other", "no trusted authority has signed the broker's certificate"),
        ("expired", "ca", "the broker's certificate, or that of its authority, has expired"),
        ("early", "ca", "the broker's certificate, or that of its authority, is not valid yet"),
        ("elsewhere", "ca", "the broker's certificate is not for the name 127.0.0.1"),
    ])
    func rejectedBrokerCertificateIsReported(_ name: String, _ authorities: String, _ expected: String) throws {
        let certificates = try Certificates()
        let broker = try Broker("allow_anonymous true\n" + certificates.settings(name))
        let reason = reasonOfLoss(settings(broker.port) { $0.tls = tls(certificates, authorities: authorities) })
        // The time at which the error is detected varies, so “cannot connect to …” may be in front.
        #expect(reason.contains("TLS: \(expected)"), "\(reason)")
    }

    @Test func certificateFilesAreChecked() throws {
        let certificates = try Certificates()
        #expect(CertificateFile.problem(ofClient: certificates.path("board.pem")) == nil)
        let expired = CertificateFile.problem(ofClient: certificates.path("expired.pem")) ?? ""
        #expect(expired.hasPrefix("the certificate of /CN=expired expired on 20"), "\(expired)")
        let early = CertificateFile.problem(ofClient: certificates.path("early.pem")) ?? ""
        #expect(early.hasPrefix("the certificate of /CN=early is not valid before 20"), "\(early)")
        #expect(
            CertificateFile.problem(ofClient: certificates.path("ca.key")) == "it has no certificate in PEM format")
        // One of several authorities may have expired.
        let both = certificates.path("both.pem")
        let texts = try ["expired", "ca"].map {
            try String(contentsOfFile: certificates.path("\($0).pem"), encoding: .utf8)
        }
        try texts.joined().write(toFile: both, atomically: true, encoding: .utf8)
        #expect(CertificateFile.problem(ofAuthorities: both) == nil)
        #expect(CertificateFile.problem(ofClient: both) != nil)
        #expect(CertificateFile.problem(ofAuthorities: certificates.path("expired.pem")) != nil)
    }

    /// The broker accepts the connection but does not answer.
    @Test func silentBrokerIsReportedAsSuch() throws {
        let broker = try Broker()
        broker.freeze()
        defer { broker.thaw() }
        let reason = reasonOfLoss(settings(broker.port) { $0.keepAlive = 5 })
        #expect(reason == "the broker does not answer")
    }
}
