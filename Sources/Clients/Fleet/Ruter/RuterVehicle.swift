import AudioSession
import MQTT

/// The board's part in Ruter's vehicle API: what is to be heard, and what the sensors report. Pure; the agent remembers ids,
/// calls Tacet and publishes.
struct RuterVehicle: Hashable {
    /// How long a download may take, and how long a message without an expiry waits for its downloads and for Tacet.
    private static let longestDownload = Duration.seconds(10)
    private static let usualTimeout = Duration.seconds(20)
    /// How far ahead a message can be sent.
    private static let longestWait = Duration.seconds(3600)

    /// A message of the audio topic, as it arrives.
    struct Request {
        let entry: IDMemory.Entry
        let topic: String
        let payload: RuterAudioMessage
    }

    let audio: RuterSettings.Audio?
    private var queue = RuterAudioQueue()
    private var sensors: RuterSensors

    init(_ settings: RuterSettings, board: String) {
        audio = settings.audio
        sensors = RuterSensors(settings, board: board)
    }

    // MARK: Audio

    /// - Returns: nil for a message that is delivered again while it waits.
    func request(_ message: MQTTMessage) throws(BadPayload) -> Request? {
        let payload = try RuterAudioMessage(message.payload)
        let entry = IDMemory.Entry(id: "ruter audio \(payload.id)", of: message.payload)
        guard !queue.messages.contains(where: { $0.entry == entry }) else { return nil }
        return Request(entry: entry, topic: message.topic, payload: payload)
    }

    /// Adds a message, if any of it is for this board's speakers.
    mutating func add(_ request: Request, at now: Instant) throws(BadPayload) {
        guard let audio else { return }
        let payload = request.payload
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
        guard queue.hasRoom(for: parts) else { throw BadPayload(description: "too much audio waits already") }
        // Without a clock nobody knows when that is.
        let wait = now.isSynchronised ? payload.startsAt.map { max(.zero, $0 - now.wallClock) } ?? .zero : .zero
        // Messages that wait for their start keep the places of others.
        guard wait <= RuterVehicle.longestWait else {
            throw BadPayload(description: "it is to begin in more than an hour")
        }
        let start = now.monotonic + wait
        queue.add(
            RuterAudioQueue.Message(
                entry: request.entry, id: payload.id, topic: request.topic, parts: parts,
                expiresAt: payload.expiresAt, start: start,
                deadline: payload.expiresAt.map { now.monotonic + $0 - now.wallClock }
                    ?? start + RuterVehicle.usualTimeout))
    }

    mutating func downloaded(_ number: Int, _ result: Result<[UInt8], DownloadFailure>) {
        queue.downloaded(number, result)
    }

    /// The time has passed: drops what is overdue, and downloads what is missing.
    mutating func advance(_ turn: inout Turn) {
        queue.advance(to: turn.now.monotonic)
        while let message = queue.takeOverdue() { turn.log(.rejected("it has expired", message)) }
        while let (number, url, deadline) = queue.takeDownload() {
            let time = min(deadline - turn.now.monotonic, RuterVehicle.longestDownload)
            turn.add(.download(number, url: url, within: time))
        }
    }

    /// Removes the first message that can be heard now.
    mutating func takeReady() -> RuterAudioQueue.Message? { queue.takeReady() }

    /// When `advance` has something to do, or a message can be heard, if nothing else happens; nil: never.
    var deadline: Duration? { queue.deadline }

    // MARK: Sensors

    mutating func follow(_ active: [SignalID], at time: Duration) { sensors.follow(active, at: time) }

    /// The broker may have lost what it kept.
    mutating func repeatRetained() { sensors.repeatRetained() }

    /// What is to be published now.
    mutating func takeSensors() -> [MQTTPublication] { sensors.take() }
}

extension FleetNews {
    static func rejected(_ problem: String, _ message: RuterAudioQueue.Message) -> FleetNews {
        .rejected(topic: message.topic, reason: "\(problem) (\(message.id))")
    }
}
