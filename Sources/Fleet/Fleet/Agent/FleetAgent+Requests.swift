import AudioSession
import MQTT
import SessionClient
import Spelling

/// Commands and announcements.
extension FleetAgent {
    /// Where the answer to a request goes.
    struct Reply: Hashable {
        /// Of the request, for the journal.
        let topic: String
        /// What the sender calls it; nil if it has no id.
        var id: String?
        /// nil: the board's own topic.
        var responseTopic: String?
        var correlation: [UInt8]?
        /// Under which the request is remembered, and then its answer; nil if it is not.
        var key: String?
        /// What the answer says if Tacet gives no reason.
        var note = ""

        init(_ message: MQTTMessage) {
            topic = message.topic
            responseTopic = message.responseTopic.flatMap { Reply.isTopic($0) ? $0 : nil }
            correlation = message.correlation
        }

        /// Of a request that cannot be obeyed: with its id, if there is one.
        init(bad message: MQTTMessage) {
            self.init(message)
            id = try? PayloadObject(message.payload).id()
        }

        /// - Parameter kind: the same id can be that of a command and of an announcement.
        init(_ message: MQTTMessage, _ kind: String, id: String?) {
            self.init(message)
            self.id = id
            if let id {
                key = "\(kind) id \(id)"
            } else if let correlation {
                let data = correlation.map { String($0, radix: 16) }.joined(separator: ".")
                key = "\(kind) correlation \(data) \(responseTopic ?? "")"
            }
        }

        /// Whether every broker takes it: one that does not would end the connection, and again when the answer is
        /// repeated. Topics with a $ are the broker's own.
        private static func isTopic(_ text: String) -> Bool {
            (1...FleetAgent.longestResponseTopic).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "$")
                && text.utf8.count { $0 == UInt8(ascii: "/") } < FleetAgent.mostResponseLevels
                && !text.unicodeScalars.contains {
                    $0.properties.generalCategory == .control || "+#".unicodeScalars.contains($0)
                }
        }
    }

    /// An announcement that waits for Tacet.
    struct HeldAnnouncement: Hashable {
        let payload: AnnouncePayload
        let reply: Reply
        let entry: IDMemory.Entry
        let topic: String
        /// When it is too late, by the monotonic clock.
        let deadline: Duration
    }

    /// How long an announcement without `expires_at` waits for Tacet.
    private static let usualExpiry = Duration.seconds(10)

    mutating func command(_ message: MQTTMessage, _ effects: inout [FleetEffect], at now: Instant) {
        let payload: CommandPayload
        do throws(BadPayload) { payload = try CommandPayload(message.payload) } catch {
            return reject(Reply(bad: message), "\(error)", &effects)
        }
        // As a command, it would have neither an expiry nor a limited priority.
        guard payload.words.split(whereSeparator: \.isWhitespace).first != "announce" else {
            return reject(
                Reply(bad: message), "announcements have a topic: publish {\"id\", \"sound\"} to announce", &effects)
        }
        let reply = Reply(message, "command", id: payload.id)
        let entry = reply.key.map { IDMemory.Entry(id: $0, of: message.payload) }
        guard mayObey(reply, entry, expiresAt: payload.expiresAt, &effects, at: now) else { return }
        guard snapshot != nil else {
            return answer(reply, "commandFailed", "tacetd is not running", &effects)
        }
        if let entry { remember(entry, &effects) }
        effects.append(.log(.obeyed(topic: message.topic, what: payload.words, id: payload.id)))
        call(.command(payload.words), .request(reply), &effects)
    }

    mutating func announce(_ message: MQTTMessage, _ effects: inout [FleetEffect], at now: Instant) {
        let payload: AnnouncePayload
        do throws(BadPayload) { payload = try AnnouncePayload(message.payload) } catch {
            return reject(Reply(bad: message), "\(error)", &effects)
        }
        var reply = Reply(message, "announce", id: payload.id)
        if let priority = payload.priority, priority > settings.maximumPriority {
            reply.note =
                "its priority of \(priority) was lowered to \(settings.maximumPriority), the MaximumPriority= of this board"
        }
        let entry = IDMemory.Entry(id: reply.key ?? "", of: message.payload)
        if let other = held.first(where: { $0.entry.id == entry.id }) {
            if other.entry != entry { refuseReuse(reply, &effects) }
            return
        }
        guard mayObey(reply, entry, expiresAt: payload.expiresAt, &effects, at: now) else { return }
        let left = payload.expiresAt.map { $0 - now.wallClock }
        let waiting = HeldAnnouncement(
            payload: payload, reply: reply, entry: entry, topic: message.topic,
            deadline: now.monotonic + (left ?? FleetAgent.usualExpiry))
        if snapshot != nil { return pass(waiting, &effects, at: now) }
        let audio = (held + [waiting]).reduce(0) { $0 + ($1.payload.audio?.bytes?.count ?? 0) }
        guard audio <= FleetAgent.mostHeldAudio else {
            return reject(reply, "tacetd is not running, and too much audio waits for it already", &effects)
        }
        held.append(waiting)
    }

    /// Whether a request may be obeyed; if not, its sender gets the reason.
    private mutating func mayObey(
        _ reply: Reply, _ entry: IDMemory.Entry?, expiresAt: Duration?,
        _ effects: inout [FleetEffect], at now: Instant
    ) -> Bool {
        switch verdict(on: entry, expiresAt: expiresAt, at: now) {
        case .refuse(let reason): reject(reply, reason, &effects)
        case .reused: refuseReuse(reply, &effects)
        case .repeated(let known?): publishAnswer(known, reply, &effects)
        case .repeated(nil):
            // Its answer follows, unless another run of this program has obeyed it.
            let isPending = calls.values.contains {
                if case .request(let other) = $0 { other.key == reply.key } else { false }
            }
            if !isPending {
                reject(reply, "it was obeyed before tacet-mqtt restarted; its answer is lost", &effects)
            }
        case .obey:
            if let expiresAt { return !answersExpired(reply, expiresAt, &effects, at: now) }
            return true
        }
        return false
    }

    enum Verdict {
        case obey
        /// For this reason.
        case refuse(String)
        /// It has been obeyed before, and got this answer, if that is still known.
        case repeated(answer: String?)
        /// Another request had this id.
        case reused
    }

    /// Whether a request may be obeyed, unless it has expired.
    mutating func verdict(
        on entry: IDMemory.Entry?, expiresAt: Duration?, at now: Instant
    ) -> Verdict {
        switch entry.map(memory.find) {
        case .new?, nil: break
        case .repeated(let known)?: return .repeated(answer: known)
        case .reused?: return .reused
        }
        if expiresAt != nil, !now.isSynchronised {
            lacksClock = true
            return .refuse(
                "this board's clock is not synchronised, so it cannot tell whether this has expired (is there a"
                    + " time server? see TrustClock= in mqtt.conf)")
        }
        guard calls.count + held.count < FleetAgent.mostPending else {
            return .refuse("\(FleetAgent.mostPending) requests wait already")
        }
        return .obey
    }

    /// Whether a request has expired by the wall clock; if so, its sender gets that answer.
    private mutating func answersExpired(
        _ reply: Reply, _ expiresAt: Duration, _ effects: inout [FleetEffect], at now: Instant
    ) -> Bool {
        guard expiresAt <= now.wallClock else { return false }
        answer(reply, "expired", "it expired at \(WallClockTime.format(expiresAt))", &effects)
        return true
    }

    private mutating func refuseReuse(_ reply: Reply, _ effects: inout [FleetEffect]) {
        reject(reply, "another request had the id “\(reply.id ?? "")”", &effects)
    }

    /// Passes an announcement on to Tacet.
    private mutating func pass(_ waiting: HeldAnnouncement, _ effects: inout [FleetEffect], at now: Instant) {
        let payload = waiting.payload
        // The clock may have been set since the announcement arrived.
        if let expiresAt = payload.expiresAt, answersExpired(waiting.reply, expiresAt, &effects, at: now) { return }
        remember(waiting.entry, &effects)
        effects.append(.log(.obeyed(topic: waiting.topic, what: "announce \(payload.sound)", id: payload.id)))
        call(
            .announce(
                FleetAnnouncement(
                    Announcement(
                        payload.sound, priority: payload.priority.map { min($0, settings.maximumPriority) },
                        maximumPriority: settings.maximumPriority), audio: payload.audio,
                    until: payload.expiresAt == nil ? nil : waiting.deadline)),
            .request(waiting.reply), &effects)
    }

    /// Tacet has become available.
    mutating func passHeld(_ effects: inout [FleetEffect], at now: Instant) {
        let ready = held
        held = []
        for announcement in ready { pass(announcement, &effects, at: now) }
    }

    mutating func dropExpired(_ effects: inout [FleetEffect], at now: Instant) {
        let expired = held.filter { $0.deadline <= now.monotonic }
        guard !expired.isEmpty else { return }
        held.removeAll { expired.contains($0) }
        for announcement in expired { answer(announcement.reply, "expired", "tacetd was not running", &effects) }
    }

    mutating func remember(_ entry: IDMemory.Entry, _ effects: inout [FleetEffect]) {
        memory.add(entry)
        effects.append(.remember(entry))
    }

    // MARK: Answers

    mutating func settle(_ reply: Reply, _ result: FleetAnswer, _ effects: inout [FleetEffect]) {
        if let (name, reason) = result.words {
            answer(reply, name, reason.isEmpty ? reply.note : reason, &effects, isFinal: true)
        }
        guard case .receipt(let receipt) = result, receipt.id != 0, let id = reply.id else { return }
        announced[receipt.id] = id
        if let outcome = earlyOutcomes[receipt.id] { publishOutcome(receipt.id, outcome, &effects) }
    }

    mutating func reject(_ reply: Reply, _ reason: String, _ effects: inout [FleetEffect]) {
        answer(reply, "refused", reason, &effects)
    }

    /// Answers a request; the journal has those that were not obeyed.
    /// - Parameter isFinal: whether it is the answer to every repetition of the request.
    private mutating func answer(
        _ reply: Reply, _ name: String, _ reason: String, _ effects: inout [FleetEffect], isFinal: Bool = false
    ) {
        if !FleetAnswer.successes.contains(name) {
            let id = reply.id.map { " (\($0))" } ?? ""
            effects.append(.log(.rejected(topic: reply.topic, reason: (reason.isEmpty ? name : reason) + id)))
        }
        var members = [
            ("id", reply.id.map(JSON.string) ?? "null"), ("board", JSON.string(settings.topics.board)),
            ("answer", JSON.string(name)),
        ]
        if !reason.isEmpty { members.append(("reason", JSON.string(reason))) }
        let text = JSON.object(members)
        if isFinal, let key = reply.key { memory.note(answer: text, to: key) }
        publishAnswer(text, reply, &effects)
    }

    private mutating func publishAnswer(_ text: String, _ reply: Reply, _ effects: inout [FleetEffect]) {
        publish(
            MQTTPublication(
                reply.responseTopic ?? settings.topics.own(.answer), text, correlation: reply.correlation), &effects)
    }

    /// Reports how an announcement ended.
    mutating func publishOutcome(_ id: Announcement.ID, _ outcome: String, _ effects: inout [FleetEffect]) {
        guard let own = announced.removeValue(forKey: id) else {
            if audioParts.remove(id) == nil, awaitsAnswer { earlyOutcomes[id] = outcome }
            return
        }
        let text = JSON.object([
            ("id", JSON.string(own)), ("board", JSON.string(settings.topics.board)), ("outcome", JSON.string(outcome)),
        ])
        publish(MQTTPublication(settings.topics.own(.answer), text), &effects)
    }
}

extension FleetAnswer {
    /// The names of answers to requests that are obeyed, now or later.
    static let successes = [Answer.success.name, Answer.deferred.name]

    /// The answer to a request, and its reason; nil if no request is answered.
    var words: (name: String, reason: String)? {
        switch self {
        case .answer(let name, let reason): (name, reason)
        case .receipt(let receipt) where receipt.answer == .noSuchContent:
            (
                receipt.answer.name,
                "this board has no such sound, or cannot read its file: tacetd's journal has the reason"
            )
        case .receipt(let receipt): (receipt.answer.name, "")
        case .expired: ("expired", "it expired while the board was busy")
        case .audioMissing: ("audioMissing", "this board does not have the audio: send it with another id")
        case .failure(.refused(let reason)): ("refused", reason)
        case .failure(let error): ("commandFailed", "\(error)")
        case .health: nil
        }
    }
}
