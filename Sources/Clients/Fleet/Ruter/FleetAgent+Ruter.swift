import AudioSession
import MQTT

/// Sends Ruter's messages to Tacet.
extension FleetAgent {
    /// The time within which all files of a message without an expiry must begin.
    private static let usualLength = Duration.seconds(120)

    /// Processes a message on the audio topic. Such messages are not answered.
    mutating func hear(_ message: MQTTMessage, _ turn: inout Turn) {
        do throws(BadPayload) {
            guard let request = try ruter.request(message) else { return }
            switch verdict(on: request.entry, expiresAt: request.payload.expiresAt, at: turn.now) {
            case .refuse(let reason): throw BadPayload(description: reason)
            case .reused: throw BadPayload(description: "another message had the traceId “\(request.payload.id)”")
            case .repeated: break
            case .execute: try ruter.add(request, at: turn.now)
            }
        } catch {
            turn.log(.rejected(topic: message.topic, reason: "\(error)"))
        }
    }

    /// Downloads missing files, and sends the messages that are ready.
    mutating func passAudio(_ turn: inout Turn) {
        ruter.advance(&turn)
        guard let audio = ruter.audio, snapshot != nil else { return }
        // Until one message has been played, the next must not occupy the queue, which other announcements also use.
        while !outcomes.haveAudioPart, !calls.haveAudioPart,
            let message = ruter.takeReady(places: FleetAgent.mostWithAudioParts - openAnnouncements)
        {
            pass(message, audio.sound, &turn)
        }
    }

    private mutating func pass(_ message: RuterAudioQueue.Message, _ sound: SoundID, _ turn: inout Turn) {
        // The clock may have been set since the message arrived.
        if let expiresAt = message.expiresAt, expiresAt <= turn.now.wallClock {
            return turn.log(.rejected("it has expired", message))
        }
        guard flood.admitsAnnouncement(at: turn.now.monotonic) else {
            return turn.log(.rejected(FleetAgent.tooManyAnnouncements, message))
        }
        remember(message.entry, &turn)
        turn.log(.executed(topic: message.topic, what: "announce \(sound)", id: message.id))
        // The sound's own Expire= is meant for one file.
        let until: Duration? =
            if message.expiresAt != nil {
                message.deadline
            } else if message.parts.count > 1 {
                turn.now.monotonic + FleetAgent.usualLength
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
                    .audioPart(topic: message.topic, id: message.id), &turn)
            case .missing(let reason): turn.log(.rejected(reason, message))
            case .url, .downloading: break
            }
        }
    }

    /// Processes Tacet's answer to the announcement of a part.
    mutating func settlePart(of id: String, _ topic: String, _ answer: FleetAnswer, _ turn: inout Turn) {
        if case .receipt(let receipt) = answer, receipt.id != 0 {
            _ = outcomes.accept(receipt.id, for: .audioPart, at: turn.now.monotonic)
        }
        guard let response = answer.response, !response.isSuccess else { return }
        turn.log(.rejected(topic: topic, reason: "a part cannot be played: \(response) (\(id))"))
    }
}
