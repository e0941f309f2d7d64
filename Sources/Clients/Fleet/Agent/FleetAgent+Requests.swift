import AudioSession
import MQTT
import SessionClient
import Spelling
import Time

/// Executes commands and announcements.
extension FleetAgent {
    /// The time for which an announcement without `expires_at` is held until Tacet is available.
    private static let usualExpiry = Duration.seconds(10)

    mutating func command(_ message: MQTTMessage, _ turn: inout Turn) {
        let payload: CommandPayload
        do throws(BadPayload) { payload = try CommandPayload(message.payload) } catch {
            return reject(Reply(bad: message, settings), "\(error)", &turn)
        }
        // An announcement that is sent as a command would have neither an expiry nor a limited priority.
        guard payload.words.split(whereSeparator: \.isWhitespace).first != "announce" else {
            return reject(
                Reply(bad: message, settings),
                "announcements have their own topic: publish {\"id\", \"sound\"} to announce",
                &turn)
        }
        let reply = Reply(message, "command", id: payload.id, settings)
        let entry = reply.key.map { IDMemory.Entry(id: $0, of: message.payload) }
        guard mayExecute(reply, entry, expiresAt: payload.expiresAt, &turn) else { return }
        guard snapshot != nil else {
            return answer(reply, Response(name: "commandFailed", reason: "tacetd is not running"), &turn)
        }
        guard flood.admitsCommand(at: turn.now.monotonic) else {
            return reject(reply, "this board executes at most \(FloodLimit.mostPerHour) commands an hour", &turn)
        }
        if let entry { remember(entry, &turn) }
        turn.log(.executed(topic: message.topic, what: payload.words, id: payload.id))
        call(.command(payload.words), .command(reply), &turn)
    }

    mutating func announce(_ message: MQTTMessage, _ turn: inout Turn) {
        let payload: AnnouncePayload
        do throws(BadPayload) { payload = try AnnouncePayload(message.payload) } catch {
            return reject(Reply(bad: message, settings), "\(error)", &turn)
        }
        var reply = Reply(message, "announce", id: payload.id, settings)
        if let priority = payload.priority, priority > settings.maximumPriority {
            reply.notes.append(
                "its priority of \(priority) was lowered to \(settings.maximumPriority), the MaximumPriority= of this board"
            )
        }
        let entry = IDMemory.Entry(id: reply.key ?? "", of: message.payload)
        if let other = held.first(where: { $0.entry.id == entry.id }) {
            if other.entry != entry { refuseReuse(reply, &turn) }
            return
        }
        guard mayExecute(reply, entry, expiresAt: payload.expiresAt, &turn) else { return }
        guard openAnnouncements < FleetAgent.mostAnnouncements else {
            return reject(
                reply,
                "\(FleetAgent.mostAnnouncements) announcements from the broker are open already, and the other places are"
                    + " for programs on this board", &turn)
        }
        guard flood.admitsAnnouncement(at: turn.now.monotonic) else {
            return reject(reply, FleetAgent.tooManyAnnouncements, &turn)
        }
        let left = payload.expiresAt.map { $0 - turn.now.wallClock }
        let waiting = HeldAnnouncement(
            payload: payload, reply: reply, entry: entry,
            deadline: turn.now.monotonic + (left ?? FleetAgent.usualExpiry))
        if snapshot != nil { return pass(waiting, &turn) }
        let audio = (held + [waiting]).reduce(0) { $0 + ($1.payload.audio?.bytes?.count ?? 0) }
        guard audio <= FleetAgent.mostHeldAudio else {
            return reject(reply, "tacetd is not running, and too much audio is already waiting for it", &turn)
        }
        held.append(waiting)
    }

    static let tooManyAnnouncements = "this board executes at most \(FloodLimit.mostPerHour) announcements an hour"

    /// The number of announcements from the broker that have a place in Tacet's queue, or are about to get one.
    var openAnnouncements: Int { outcomes.count + calls.announcements + held.count }

    /// Returns true if a request may be executed. Otherwise, answers its sender with the reason.
    private mutating func mayExecute(
        _ reply: Reply, _ entry: IDMemory.Entry?, expiresAt: Duration?, _ turn: inout Turn
    ) -> Bool {
        switch verdict(on: entry, expiresAt: expiresAt, at: turn.now) {
        case .refuse(let reason): reject(reply, reason, &turn)
        case .reused: refuseReuse(reply, &turn)
        case .repeated(let known?): publishAnswer(known, reply, &turn)
        case .repeated(nil):
            // The answer follows unless an earlier run of this program executed the request.
            if !calls.haveRequest(remembered: reply.key) {
                reject(reply, "it was executed before tacet-mqtt restarted, so its answer is lost", &turn)
            }
        case .execute: return !answersExpired(reply, expiresAt, &turn)
        }
        return false
    }

    enum Verdict {
        case execute
        /// The request must not be executed. The value is the reason.
        case refuse(String)
        /// The request was executed before. The value is its answer, or nil if that is no longer stored.
        case repeated(answer: String?)
        /// Another request had this id.
        case reused
    }

    /// Decides if a request may be executed, without considering its expiry.
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
            return .refuse("\(FleetAgent.mostPending) requests are already waiting")
        }
        return .execute
    }

    /// Returns true if a request has expired according to the wall clock. In that case, also answers its sender.
    private mutating func answersExpired(_ reply: Reply, _ expiresAt: Duration?, _ turn: inout Turn) -> Bool {
        guard let expiresAt, expiresAt <= turn.now.wallClock else { return false }
        answer(reply, .expired("it expired at \(Timestamp.format(expiresAt, decimals: 3))"), &turn)
        return true
    }

    private mutating func refuseReuse(_ reply: Reply, _ turn: inout Turn) {
        reject(reply, "another request had the id “\(reply.id ?? "")”", &turn)
    }

    /// Sends an announcement to Tacet.
    private mutating func pass(_ waiting: HeldAnnouncement, _ turn: inout Turn) {
        let payload = waiting.payload
        // The clock may have been set since the announcement arrived.
        if answersExpired(waiting.reply, payload.expiresAt, &turn) { return }
        remember(waiting.entry, &turn)
        turn.log(.executed(topic: waiting.reply.topic, what: "announce \(payload.sound)", id: payload.id))
        call(
            .announce(
                FleetAnnouncement(
                    Announcement(
                        payload.sound, priority: payload.priority.map { min($0, settings.maximumPriority) },
                        maximumPriority: settings.maximumPriority), audio: payload.audio,
                    until: payload.expiresAt == nil ? nil : waiting.deadline)),
            .announcement(waiting.reply), &turn)
    }

    /// Sends the held announcements, because Tacet has become available.
    mutating func passHeld(_ turn: inout Turn) {
        let ready = held
        held = []
        for announcement in ready { pass(announcement, &turn) }
    }

    mutating func dropExpired(_ turn: inout Turn) {
        let expired = held.filter { $0.deadline <= turn.now.monotonic }
        guard !expired.isEmpty else { return }
        held.removeAll { expired.contains($0) }
        for announcement in expired { answer(announcement.reply, .expired("tacetd was not running"), &turn) }
    }

    mutating func remember(_ entry: IDMemory.Entry, _ turn: inout Turn) {
        memory.add(entry)
        turn.add(.remember(entry))
    }

    // MARK: Answers

    mutating func settle(_ reply: Reply, _ result: FleetAnswer, _ turn: inout Turn) {
        if var response = result.response {
            if response.reason.isEmpty { response.reason = reply.notes.joined(separator: "; ") }
            answer(reply, response, &turn, isFinal: true)
        }
        guard case .receipt(let receipt) = result, receipt.id != 0, let id = reply.id else { return }
        let outcome = outcomes.accept(receipt.id, for: .request(id), at: turn.now.monotonic)
        if let outcome { publish(outcome, of: id, &turn) }
    }

    mutating func reject(_ reply: Reply, _ reason: String, _ turn: inout Turn) {
        answer(reply, .refused(reason), &turn)
    }

    /// Answers a request. Requests that are not executed are also logged.
    /// - Parameter isFinal: true if this is also the answer to every repetition of the request.
    private mutating func answer(_ reply: Reply, _ response: Response, _ turn: inout Turn, isFinal: Bool = false) {
        if !response.isSuccess {
            let id = reply.id.map { " (\($0))" } ?? ""
            turn.log(.rejected(topic: reply.topic, reason: response.description + id))
        }
        var members = [
            ("id", reply.id.map(JSON.string) ?? "null"), ("board", JSON.string(settings.topics.board)),
            ("answer", JSON.string(response.name)),
        ]
        if !response.reason.isEmpty { members.append(("reason", JSON.string(response.reason))) }
        let text = JSON.object(members)
        if isFinal, let key = reply.key { memory.note(answer: text, to: key) }
        publishAnswer(text, reply, &turn)
    }

    private mutating func publishAnswer(_ text: String, _ reply: Reply, _ turn: inout Turn) {
        link.publish(
            MQTTPublication(
                reply.responseTopic ?? settings.topics.own(.answer), text, correlation: reply.correlation), &turn)
    }

    /// Publishes the outcome of an announcement that has ended.
    mutating func end(_ id: Announcement.ID, _ outcome: String, _ turn: inout Turn) {
        for case .request(let own) in outcomes.end(id, outcome, awaitsReceipt: awaitsAnswer) {
            publish(outcome, of: own, &turn)
        }
    }

    mutating func publish(_ outcome: String, of id: String, _ turn: inout Turn) {
        let text = JSON.object([
            ("id", JSON.string(id)), ("board", JSON.string(settings.topics.board)), ("outcome", JSON.string(outcome)),
        ])
        link.publish(MQTTPublication(settings.topics.own(.answer), text), &turn)
    }
}
