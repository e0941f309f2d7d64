import AudioSession
import MQTT

/// Ruter's vehicle API.
extension FleetAgent {
    /// How long a download may take, and how long a message without an expiry waits for its downloads and for Tacet.
    private static let longestDownload = Duration.seconds(10)
    private static let usualPatience = Duration.seconds(20)
    /// How far ahead a message can be sent.
    private static let longestWait = Duration.seconds(3600)
    /// Within which time all files of a list without an expiry begin.
    private static let usualLength = Duration.seconds(120)

    /// A message of the audio topic. Nobody expects an answer.
    mutating func hear(_ message: MQTTMessage, _ effects: inout [FleetEffect], at now: Instant) {
        guard let audio = settings.ruter.audio else { return }
        func refuse(_ reason: String) { effects.append(.log(.rejected(topic: message.topic, reason: reason))) }
        let payload: RuterAudioMessage
        do throws(BadPayload) { payload = try RuterAudioMessage(message.payload) } catch { return refuse("\(error)") }
        let entry = IDMemory.Entry(id: "ruter audio \(payload.id)", of: message.payload)
        // Delivered again.
        if audioQueue.messages.contains(where: { $0.entry == entry }) { return }
        switch verdict(on: entry, expiresAt: payload.expiresAt, at: now) {
        case .refuse(let reason): return refuse(reason)
        case .reused: return refuse("another message had the traceId “\(payload.id)”")
        case .repeated: return
        case .obey: break
        }
        let parts = payload.parts.compactMap { part -> RuterAudioQueue.Part? in
            guard let level = part.level(for: audio.speakers) else { return nil }
            switch part.content {
            case .inline(let file): return RuterAudioQueue.Part(content: .ready(file), level: level)
            case .url(let url):
                let problem = AudioURL.problem(with: url, server: audio.server)
                return RuterAudioQueue.Part(content: problem.map { .missing($0) } ?? .url(url), level: level)
            }
        }
        guard !parts.isEmpty else { return }
        guard audioQueue.hasRoom(for: parts) else { return refuse("too much audio waits already") }
        // Without a clock nobody knows when that is.
        let wait = now.isSynchronised ? payload.startsAt.map { max(.zero, $0 - now.wallClock) } ?? .zero : .zero
        // Messages that wait for their start keep the places of others.
        guard wait <= FleetAgent.longestWait else { return refuse("it is to begin in more than an hour") }
        let start = now.monotonic + wait
        audioQueue.add(
            RuterAudioQueue.Message(
                entry: entry, id: payload.id, topic: message.topic, parts: parts, expiresAt: payload.expiresAt,
                start: start,
                deadline: payload.expiresAt.map { now.monotonic + $0 - now.wallClock }
                    ?? start + FleetAgent.usualPatience))
    }

    /// Downloads what is missing, and passes on what is ready.
    mutating func passAudio(_ effects: inout [FleetEffect], at now: Instant) {
        while let message = audioQueue.takeOverdue(at: now.monotonic) {
            report("it has expired", message, &effects)
        }
        while let (number, url, deadline) = audioQueue.takeDownload() {
            effects.append(
                .download(number, url: url, within: min(deadline - now.monotonic, FleetAgent.longestDownload)))
        }
        guard let audio = settings.ruter.audio, snapshot != nil else { return }
        while !isHearingAudio, let message = audioQueue.takeReady(at: now.monotonic) {
            pass(message, audio.sound, &effects, at: now)
        }
    }

    /// Whether a message is being heard, or is about to be: the next one must not take the places of other announcements.
    private var isHearingAudio: Bool {
        !audioParts.isEmpty || calls.values.contains { if case .audioPart = $0 { true } else { false } }
    }

    private mutating func pass(
        _ message: RuterAudioQueue.Message, _ sound: SoundID, _ effects: inout [FleetEffect], at now: Instant
    ) {
        // The clock may have been set since the message arrived.
        if let expiresAt = message.expiresAt, expiresAt <= now.wallClock {
            return report("it has expired", message, &effects)
        }
        remember(message.entry, &effects)
        effects.append(.log(.obeyed(topic: message.topic, what: "announce \(sound)", id: message.id)))
        // The sound's own Expire= is meant for one file.
        let until: Duration? =
            if message.expiresAt != nil {
                message.deadline
            } else if message.parts.count > 1 {
                now.monotonic + FleetAgent.usualLength
            } else {
                nil
            }
        for part in message.parts {
            switch part.content {
            case .ready(let file):
                call(
                    .announce(
                        FleetAnnouncement(
                            Announcement(sound, maximumPriority: settings.maximumPriority), audio: file,
                            level: part.level, until: until)),
                    .audioPart(topic: message.topic, id: message.id), &effects)
            case .missing(let reason):
                report(reason, message, &effects)
            case .url, .downloading: break
            }
        }
    }

    private func report(_ problem: String, _ message: RuterAudioQueue.Message, _ effects: inout [FleetEffect]) {
        effects.append(.log(.rejected(topic: message.topic, reason: "\(problem) (\(message.id))")))
    }
}
