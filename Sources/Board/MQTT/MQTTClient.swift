import CMosquitto
import Glibc

/// An MQTT client that uses libmosquitto. Use it from one thread, which waits for `descriptor` itself:
///
///     try client.connect()
///     while true {
///         poll(client.descriptor, client.awaitsWriting, within: .seconds(1))
///         client.proceed()
///         while let event = client.next() { … }
///     }
///
/// The client does not reconnect by itself. To reconnect, call `connect` again. libmosquitto then repeats the
/// publications that were not acknowledged.
public final class MQTTClient {
    public let settings: MQTTSettings
    /// True if the broker discards the kept session of this client at each connection.
    let beginsSession: Bool
    private let handle: OpaquePointer
    private var events: [MQTTEvent] = []
    /// The size of the messages that the present `proceed` has received. Above the limit, it reads no more packets.
    private var received = 0
    private static let mostReceived = 1 << 20
    /// The last message of OpenSSL, which is more specific than the result code of libmosquitto.
    private var complaint: String?
    /// The reason why the broker's certificate was rejected, which is more specific than `complaint`.
    private var rejection: String?
    private var phase = Phase.unconnected
    /// The publications that the broker has not acknowledged, with the library's numbers. The oldest comes first.
    private var pending: [(number: Int32, message: MQTTPublication)] = []
    /// The unacknowledged publications of a predecessor. They wait for the connection, because libmosquitto discards
    /// the retained flag of a message that is published before there is a connection.
    private var inherited: [MQTTPublication] = []
    /// The number of publications that the broker has not acknowledged.
    public var unacknowledged: Int { pending.count + inherited.count }
    /// The number of subscriptions that the broker has not answered.
    private var openSubscriptions = 0
    /// The watch that detects a silent broker, or nil if the library itself pings the broker often enough.
    private var silence: SilenceWatch?

    private enum Phase {
        case unconnected
        /// The broker has not answered yet.
        case unanswered
        case accepted
        /// The broker has refused this client, and the connection has ended.
        case refused
    }

    private var isConnected: Bool { phase == .unanswered || phase == .accepted }

    /// True if the broker has refused this client, for example because of a wrong password.
    public var hasRefusal: Bool { phase == .refused }

    /// The maximum number of result codes that are read from an answer to a subscription.
    private static let mostAnswers = 1024
    private static let library: Int32 = mosquitto_lib_init()

    /// Creates a client and reads the certificates, but does not connect.
    /// - Parameters:
    ///   - predecessor: the client whose unacknowledged publications this client also publishes.
    ///   - beginsSession: true to discard the session that the broker has kept for this client.
    /// - Throws: an error if a setting is not valid, or if a file cannot be read.
    public init(
        _ settings: MQTTSettings, after predecessor: MQTTClient? = nil, beginsSession: Bool = false
    ) throws(MQTTError) {
        _ = MQTTClient.library
        self.settings = settings
        self.beginsSession = beginsSession
        let keepsSession = settings.version == .v5 && settings.sessionExpiry > 0
        guard let handle = mosquitto_new(settings.clientID, beginsSession || !keepsSession, nil) else {
            throw MQTTError("create a client ‘\(settings.clientID)’", code: MOSQ_ERR_ERRNO.rawValue)
        }
        self.handle = handle
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try check(
            mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, settings.version.rawValue), "choose MQTT's version")
        // This limits the number of messages in transit to this client, because the library keeps each one until it has
        // been delivered completely.
        if settings.version == .v5 {
            try check(mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, 8), "limit the messages under way")
        }
        // Send each packet at once instead of waiting for more data, because each state and each answer is a separate
        // packet.
        try check(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1), "set TCP_NODELAY")
        if let user = settings.user {
            try check(mosquitto_username_pw_set(handle, user, settings.password), "use the user ‘\(user)’")
        }
        try setWill()
        try setTLS()
        setCallbacks()
        if let predecessor { inherited = predecessor.pending.map(\.message) + predecessor.inherited }
    }

    deinit { mosquitto_destroy(handle) }

    private func setWill() throws(MQTTError) {
        guard let will = settings.will else { return }
        try check(
            mosquitto_will_set(handle, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained),
            "leave a will for \(will.topic)")
    }

    private func setTLS() throws(MQTTError) {
        guard let tls = settings.tls else { return }
        for file in [tls.authorities, tls.certificate, tls.privateKey].compactMap({ $0 }) {
            guard access(file, R_OK) == 0 else {
                throw MQTTError("read \(file)", code: MOSQ_ERR_ERRNO.rawValue)
            }
        }
        if tls.authorities == nil {
            try check(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "use the system's certificates")
        }
        try check(
            mosquitto_tls_set(
                handle, tls.authorities, tls.authorities == nil ? "/etc/ssl/certs" : nil, tls.certificate,
                tls.privateKey, nil), "use the certificates")
    }

    // MARK: The connection

    /// Connects or reconnects. The call blocks while it resolves the host name and connects. The broker's answer is
    /// reported as an event.
    /// - Throws: an error if the broker cannot be reached. In that case, no `disconnected` event follows.
    public func connect() throws(MQTTError) {
        let operation = "connect to \(settings.host):\(settings.port)"
        (complaint, rejection) = (nil, nil)
        (phase, openSubscriptions, silence) = (.unconnected, 0, nil)
        var properties: OpaquePointer?
        if settings.version == .v5 {
            try check(
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), settings.sessionExpiry), operation)
            try check(
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), settings.maximumPacketSize), operation)
        }
        defer { mosquitto_property_free_all(&properties) }
        let code = mosquitto_connect_bind_v5(
            handle, settings.host, Int32(settings.port), Int32(settings.keepAlive), nil, properties)
        let error = errno
        if code != MOSQ_ERR_SUCCESS.rawValue {
            // A fast broker may have answered or ended the connection before this call returns.
            let ends = [MOSQ_ERR_TLS, MOSQ_ERR_PROTOCOL, MOSQ_ERR_CONN_LOST].map(\.rawValue)
            let isReached =
                ends.contains(code) || rejection != nil || complaint != nil
                || code == MOSQ_ERR_ERRNO.rawValue && [ECONNRESET, EPIPE, EPROTO].contains(error)
            throw MQTTError(
                operation, reason: isReached ? reason(code, error) : MQTTError.text(of: code, errno: error),
                isUnreachable: !isReached)
        }
        phase = .unanswered
        // libmosquitto does not set this flag, so child processes would inherit the descriptor.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        watchNetwork()
    }

    /// The times in seconds after which the kernel ends a connection whose other end has disappeared: from the last
    /// data on for the first probe, between the probes, and for data or probes without an answer.
    private static let (idle, probe, unanswered): (Int32, Int32, Int32) = (10, 2, 10)

    /// Lets the kernel detect a broker whose host or network has failed, because `keepAlive` alone takes up to a minute.
    /// The probes also reach a host that has restarted, which ends the connection.
    private func watchNetwork() {
        let tcp = Int32(IPPROTO_TCP)
        let options: [(level: Int32, name: Int32, value: Int32)] = [
            (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, TCP_KEEPIDLE, Self.idle), (tcp, TCP_KEEPINTVL, Self.probe),
            (tcp, TCP_KEEPCNT, Self.unanswered / Self.probe), (tcp, TCP_USER_TIMEOUT, Self.unanswered * 1000),
        ]
        for option in options {
            var value = option.value
            setsockopt(descriptor, option.level, option.name, &value, socklen_t(MemoryLayout.size(ofValue: value)))
        }
    }

    /// Disconnects properly, so that the broker does not publish the will.
    public func disconnect() {
        _ = flush(handle)
        _ = mosquitto_disconnect(handle)
        _ = flush(handle)
    }

    /// The descriptor to wait for. It is readable when the broker has sent something, and it is -1 if there is no
    /// connection.
    public var descriptor: Int32 { mosquitto_socket(handle) }

    /// True if the owner should also wait until `descriptor` is writable.
    public var awaitsWriting: Bool { mosquitto_want_write(handle) }

    /// Reads and writes what is possible without waiting, and keeps the connection alive. Of what waits to be read, it
    /// leaves the messages after the first megabyte to the next call. Call it whenever `descriptor` is ready, and once a
    /// second.
    /// - Parameter reads: false while received messages wait to be processed, so that further messages stay in the
    ///   network.
    public func proceed(reads: Bool = true) {
        received = 0
        for step in [reads ? { mosquitto_loop_read($0, 100) } : { _ in 0 }, flush, mosquitto_loop_misc] {
            guard isConnected else { return }
            let code = step(handle)
            let error = errno
            if code != MOSQ_ERR_SUCCESS.rawValue, isConnected { lose(loss(code, error)) }
        }
        if reads { watchSilence() }
    }

    /// Asks the broker for a sign of life when `silence` requires one. The request unsubscribes from a topic that is
    /// not subscribed, because every other request that the broker answers would change something.
    private func watchSilence() {
        switch silence?.advance(to: .now) {
        case .ask?: _ = mosquitto_unsubscribe(handle, nil, "keep-alive")
        case .isSilent?: drop(loss(MOSQ_ERR_KEEPALIVE.rawValue, 0))
        case nil, .nothing?: break
        }
    }

    /// Describes why a connection has ended.
    private func reason(_ code: Int32, _ error: Int32) -> String {
        let text = rejection ?? complaint ?? MQTTError.text(of: code, errno: error)
        guard phase != .accepted, rejection == nil, code != MOSQ_ERR_KEEPALIVE.rawValue else { return text }
        guard let tls = settings.tls else {
            return "\(text) (The broker has not answered: does it expect TLS at port \(settings.port)?)"
        }
        let head = complaint == nil ? "TLS: \(text)" : text
        // A broker that rejects a certificate often does not give a reason.
        if let certificate = tls.certificate, let problem = CertificateFile.problem(ofClient: certificate) {
            return "\(head) (\(certificate): \(problem))"
        }
        return "\(head) (Does the broker expect TLS at port \(settings.port), and does it accept this board's"
            + " certificate?)"
    }

    private func flush(_ handle: OpaquePointer) -> Int32 {
        mosquitto_want_write(handle) ? mosquitto_loop_write(handle, 100) : MOSQ_ERR_SUCCESS.rawValue
    }

    private func lose(_ loss: MQTTLoss) {
        (phase, silence) = (.unconnected, nil)
        events.append(.disconnected(loss))
    }

    /// Ends the connection because of something that the broker has done. The library closes the socket later.
    private func drop(_ loss: MQTTLoss) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        lose(loss)
    }

    private func loss(_ code: Int32, _ error: Int32) -> MQTTLoss {
        let cause: MQTTLoss.Cause =
            switch mosq_err_t(code) {
            case MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_PROTOCOL: .malformed
            case MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO: .perhapsRival
            default: .other
            }
        return MQTTLoss(reason(code, error), cause)
    }

    /// Returns the next event that `proceed` has found, or nil if there is none.
    public func next() -> MQTTEvent? { events.isEmpty ? nil : events.removeFirst() }

    // MARK: Messages

    /// Publishes a message at least once. The call returns immediately, and the broker's acknowledgement is reported as
    /// an event. If there is no connection, the message is published once there is one.
    /// - Throws: an error if the topic is not valid.
    public func publish(_ message: MQTTPublication) throws(MQTTError) {
        let operation = "publish \(message.topic)"
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if settings.version == .v5, let correlation = message.correlation {
            try check(
                mosquitto_property_add_binary(
                    &properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), correlation, UInt16(correlation.count)),
                operation)
        }
        var number: Int32 = 0
        let code = mosquitto_publish_v5(
            handle, &number, message.topic, Int32(message.payload.count), message.payload, 1, message.isRetained,
            properties)
        if code != MOSQ_ERR_NO_CONN.rawValue, code != MOSQ_ERR_CONN_LOST.rawValue { try check(code, operation) }
        pending.append((number, message))
    }

    /// Discards the messages that the broker would not retain, so that the successor repeats only the retained ones.
    /// - Returns: true if messages were discarded.
    func forgetPassing() -> Bool {
        let count = unacknowledged
        pending.removeAll { !$0.message.isRetained }
        inherited.removeAll { !$0.isRetained }
        return unacknowledged < count
    }

    private func publishInherited() {
        let messages = inherited
        inherited = []
        for message in messages {
            do throws(MQTTError) { try publish(message) } catch {
                events.append(.notPublished(topic: message.topic, "\(error)"))
            }
        }
    }

    /// Subscribes with quality of service 1. The broker's answer is reported as an event.
    public func subscribe(to filters: [String]) throws(MQTTError) {
        var pointers = filters.map { UnsafeMutablePointer<CChar>(strdup($0)) }
        defer { pointers.forEach { free($0) } }
        let code = pointers.withUnsafeMutableBufferPointer {
            mosquitto_subscribe_multiple(handle, nil, Int32($0.count), $0.baseAddress, 1, 0, nil)
        }
        try check(code, "subscribe to \(filters.joined(separator: ", "))")
        openSubscriptions += 1
    }

    // MARK: Callbacks of the library

    private static func client(_ object: UnsafeMutableRawPointer?) -> MQTTClient? {
        object.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
    }

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, object, code, _, properties in
            guard let client = MQTTClient.client(object), client.isConnected else { return }
            guard client.phase == .unanswered else {
                return client.drop(MQTTLoss("the broker answers one connection twice"))
            }
            if code == 0 {
                client.phase = .accepted
                client.silence = client.silenceWatch(properties)
                client.publishInherited()
                client.events.append(.connected(unacknowledged: client.unacknowledged))
            } else {
                client.lose(MQTTLoss("the broker refuses this client: \(client.text(ofRefusal: code))"))
                client.phase = .refused
            }
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, object, code, _ in
            guard let client = MQTTClient.client(object), client.isConnected else { return }
            client.lose(client.loss(code))
        }
        mosquitto_unsubscribe_v5_callback_set(handle) { _, object, _, _ in MQTTClient.client(object)?.silence?.hear() }
        mosquitto_subscribe_v5_callback_set(handle) { _, object, _, count, granted, _ in
            // A faulty broker may send an answer that was not requested.
            guard let client = MQTTClient.client(object), let granted, client.openSubscriptions > 0 else { return }
            client.openSubscriptions -= 1
            // A faulty broker may answer with millions of result codes.
            let answers = min(max(0, Int(count)), MQTTClient.mostAnswers)
            client.events.append(.subscribed((0..<answers).map { granted[$0] < 128 }))
        }
        mosquitto_publish_v5_callback_set(handle) { _, object, number, code, _ in
            guard let client = MQTTClient.client(object),
                let index = client.pending.firstIndex(where: { $0.number == number })
            else { return }
            let topic = client.pending.remove(at: index).message.topic
            let refusal = code >= 128 ? String(cString: mosquitto_reason_string(code)) : nil
            client.events.append(.acknowledged(topic: topic, refused: refusal))
        }
        mosquitto_message_v5_callback_set(handle) { _, object, message, properties in
            guard let client = MQTTClient.client(object), let message = message?.pointee, client.isConnected else {
                return
            }
            client.silence?.hear()
            // An MQTT 5 broker has been sent this limit. MQTT 3.1.1 does not have such a limit, so check it here.
            guard message.payloadlen <= Int(client.settings.maximumPacketSize) else {
                return client.drop(MQTTLoss("the broker sends a message of \(message.payloadlen) bytes"))
            }
            let delivered = MQTTMessage(message, properties)
            client.events.append(.message(delivered))
            client.received += delivered.size
            // The library reads as many packets at once as it has publications to repeat, whatever it is asked for, but
            // it returns after a packet with this error code, as if there were no more.
            if client.received > MQTTClient.mostReceived { errno = EAGAIN }
        }
        mosquitto_log_callback_set(handle) { _, object, _, text in
            guard let text, let client = MQTTClient.client(object) else { return }
            let line = String(cString: text)
            client.refuseQualityTwo(line)
            if line.contains("host name verification failed") {
                client.rejection = "TLS: the broker's certificate is not for the name \(client.settings.host)"
            }
            // The line is, for example, “OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed”.
            guard line.hasPrefix("OpenSSL Error") else { return }
            client.complaint = "TLS: " + line.split(separator: ":").dropFirst(3).joined(separator: ": ")
            client.rejection = client.rejection ?? HandshakeFailure.reason(client.handle).map { "TLS: \($0)" }
        }
    }

    /// Ends the connection at the first message with quality of service 2. The library keeps each such message until
    /// the broker releases it, and MQTT 3.1.1 does not limit their number. The log line is, for example, “Client a
    /// received PUBLISH (d0, q2, …”.
    private func refuseQualityTwo(_ line: String) {
        let head = "Client \(settings.clientID) received PUBLISH (d".utf8
        guard isConnected, line.utf8.starts(with: head),
            line.utf8.dropFirst(head.count + 1).starts(with: ", q2,".utf8)
        else { return }
        drop(
            MQTTLoss(
                "the broker sends a message with quality of service 2, although this client subscribes with 1",
                .malformed))
    }

    /// Returns a watch that detects a dead connection within the time in the settings, or nil if the library does so
    /// itself. The library does not do so if the broker requests a longer keep-alive or none, because it uses the
    /// broker's value.
    private func silenceWatch(_ properties: OpaquePointer?) -> SilenceWatch? {
        var wanted = settings.keepAlive
        _ = mosquitto_property_read_int16(properties, Int32(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue), &wanted, false)
        guard wanted == 0 || wanted > settings.keepAlive else { return nil }
        return SilenceWatch(.seconds(Int(settings.keepAlive)), from: .now)
    }

    private func text(ofRefusal code: Int32) -> String {
        String(
            cString: settings.version == .v5
                ? mosquitto_reason_string(code) : mosquitto_connack_string(code))
    }

    /// Returns the loss that a result code describes. The reason codes of MQTT 5 brokers start at 128.
    private func loss(_ code: Int32) -> MQTTLoss {
        guard code >= 128 else { return loss(code, errno) }
        return MQTTLoss(
            "the broker ends the connection: \(String(cString: mosquitto_reason_string(code)))",
            code == Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue) ? .rival : .other)
    }
}

extension MQTTMessage {
    fileprivate init(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(max(0, message.payloadlen)))
        var topic: UnsafeMutablePointer<CChar>?
        if mosquitto_property_read_string(properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &topic, false) == nil {
            topic = nil
        }
        var data: UnsafeMutableRawPointer?
        var length: UInt16 = 0
        let kind = Int32(MQTT_PROP_CORRELATION_DATA.rawValue)
        let hasData = mosquitto_property_read_binary(properties, kind, &data, &length, false) != nil
        defer {
            free(topic)
            free(data)
        }
        self.init(
            topic: String(cString: message.topic), payload: Array(payload), isRetained: message.retain,
            responseTopic: topic.map { String(cString: $0) },
            correlation: hasData ? Array(UnsafeRawBufferPointer(start: data, count: Int(length))) : nil)
    }
}
