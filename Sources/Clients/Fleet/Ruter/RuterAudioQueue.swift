import AudioSession

/// The messages on Ruter's audio topic that have not been sent to Tacet yet, in the order of their arrival. It has no
/// side effects.
///
/// A message waits for its preferred start, then for its downloads, and then for Tacet. During the last two, no later
/// message overtakes it.
struct RuterAudioQueue: Hashable {
    struct Part: Hashable {
        enum Content: Hashable {
            case ready(CarriedAudio)
            case url(String)
            /// The value is the download's number.
            case downloading(Int)
            /// The value is the reason.
            case missing(String)
        }

        var content: Content
        let level: Level

        fileprivate var size: Int { if case .ready(let audio) = content { audio.bytes?.count ?? 0 } else { 0 } }

        fileprivate var isSettled: Bool {
            switch content {
            case .ready, .missing: true
            case .url, .downloading: false
            }
        }
    }

    struct Message: Hashable {
        let entry: IDMemory.Entry
        let id: String
        let topic: String
        /// The parts for this board's speakers.
        var parts: [Part]
        /// The time since 1970 at which the message expires, or nil if the sound's configuration applies.
        let expiresAt: Duration?
        /// The start on the monotonic clock.
        let start: Duration
        /// The time on the monotonic clock at which the message is dropped.
        let deadline: Duration
    }

    /// The maximum number of queued messages, of their bytes of audio, and of simultaneous downloads.
    private static let most = 32
    private static let mostBytes = 8 << 20
    private static let mostDownloads = 4

    private(set) var messages: [Message] = []
    private var lastDownload = 0
    private var now = Duration.zero

    mutating func advance(to now: Duration) { self.now = now }

    mutating func add(_ message: Message) { messages.append(message) }

    /// Returns true if another message with these parts may be queued.
    func hasRoom(for parts: [Part]) -> Bool {
        messages.count < RuterAudioQueue.most && hasRoom(for: parts.reduce(0) { $0 + $1.size })
    }

    private func hasRoom(for bytes: Int) -> Bool {
        messages.lazy.flatMap(\.parts).reduce(bytes) { $0 + $1.size } <= RuterAudioQueue.mostBytes
    }

    /// Returns the next file to download now, or nil if there is none or enough downloads are running.
    mutating func takeDownload() -> (number: Int, url: String, deadline: Duration)? {
        let count = messages.lazy.flatMap(\.parts).count { if case .downloading = $0.content { true } else { false } }
        guard count < RuterAudioQueue.mostDownloads else { return nil }
        for index in messages.indices {
            for part in messages[index].parts.indices {
                guard case .url(let url) = messages[index].parts[part].content else { continue }
                lastDownload += 1
                messages[index].parts[part].content = .downloading(lastDownload)
                return (lastDownload, url, messages[index].deadline)
            }
        }
        return nil
    }

    /// Stores the result of a download. This has no effect if the message has been dropped.
    mutating func downloaded(_ number: Int, _ result: Result<[UInt8], DownloadFailure>) {
        for index in messages.indices {
            for part in messages[index].parts.indices where messages[index].parts[part].content == .downloading(number)
            {
                switch result {
                case .success(let bytes) where hasRoom(for: bytes.count):
                    messages[index].parts[part].content = .ready(CarriedAudio(bytes))
                case .success: messages[index].parts[part].content = .missing("too much audio is already waiting")
                case .failure(let failure): messages[index].parts[part].content = .missing("\(failure)")
                }
                return
            }
        }
    }

    /// Removes and returns the first message if it can be played now.
    /// - Parameter places: the maximum number of parts that it may have.
    mutating func takeReady(places: Int) -> Message? {
        guard let index = messages.firstIndex(where: { $0.start <= now }),
            messages[index].parts.allSatisfy(\.isSettled), messages[index].parts.count <= places
        else { return nil }
        return messages.remove(at: index)
    }

    /// Removes and returns the first message that has expired.
    mutating func takeOverdue() -> Message? {
        messages.firstIndex { $0.deadline <= now }.map { messages.remove(at: $0) }
    }

    /// The next time at which a message can start or must be dropped if nothing else happens, or nil if there is no
    /// such time.
    var deadline: Duration? { messages.flatMap { [$0.start, $0.deadline] }.filter { $0 > now }.min() }
}

/// The reason why a file cannot be downloaded, for people.
public struct DownloadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}
