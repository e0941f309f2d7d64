import AudioSession
import MQTT

/// The board's role in Ruter's vehicle API, which consists of the audio messages to play and the reports of the
/// sensors. It has no side effects. The agent stores the ids, calls Tacet and publishes.
struct RuterVehicle: Hashable {
    /// The longest time for a download, and the time for which a message without an expiry waits for its downloads and
    /// for Tacet.
    private static let longestDownload = Duration.seconds(10)
    private static let usualTimeout = Duration.seconds(20)
    /// The maximum time by which a message may be sent before its start.
    private static let longestWait = Duration.seconds(3600)

    /// A message on the audio topic, as it arrives.
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

    /// - Returns: the request, or nil for a message that is delivered again while it is queued.
    func request(_ message: MQTTMessage) throws(BadPayload) -> Request? {
        let payload = try RuterAudioMessage(message.payload)
        let entry = IDMemory.Entry(id: "ruter audio \(payload.id)", of: message.payload)
        guard !queue.messages.contains(where: { $0.entry == entry }) else { return nil }
        return Request(entry: entry, topic: message.topic, payload: payload)
    }

    /// Adds a message if any part of it is for this board's speakers.
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
        guard queue.hasRoom(for: parts) else { throw BadPayload(description: "too much audio is already waiting") }
        // Without a synchronised clock, the preferred start is ignored.
        let wait = now.isSynchronised ? payload.startsAt.map { max(.zero, $0 - now.wallClock) } ?? .zero : .zero
        // Messages that wait for their start occupy the queue.
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

    /// Applies the passage of time: drops the messages that have expired, and downloads missing files.
    mutating func advance(_ turn: inout Turn) {
        queue.advance(to: turn.now.monotonic)
        while let message = queue.takeOverdue() { turn.log(.rejected("it has expired", message)) }
        while let (number, url, deadline) = queue.takeDownload() {
            let time = min(deadline - turn.now.monotonic, RuterVehicle.longestDownload)
            turn.add(.download(number, url: url, within: time))
        }
    }

    /// Removes and returns the first message if it can be played now.
    /// - Parameter places: the maximum number of parts that it may have.
    mutating func takeReady(places: Int) -> RuterAudioQueue.Message? { queue.takeReady(places: places) }

    /// The time at which `advance` has something to do or a message can be played if nothing else happens, or nil if
    /// there is no such time.
    var deadline: Duration? { queue.deadline }

    // MARK: Sensors

    mutating func follow(_ active: [SignalID], at time: Duration) { sensors.follow(active, at: time) }

    /// Requests another publication of the retained topics, because the broker may have lost them.
    mutating func repeatRetained() { sensors.repeatRetained() }

    /// Returns the messages to publish now.
    mutating func takeSensors() -> [MQTTPublication] { sensors.take() }
}

extension FleetNews {
    static func rejected(_ problem: String, _ message: RuterAudioQueue.Message) -> FleetNews {
        .rejected(topic: message.topic, reason: "\(problem) (\(message.id))")
    }
}
