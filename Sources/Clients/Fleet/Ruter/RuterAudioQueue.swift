import AudioSession

/// The messages of Ruter's audio topic that are on their way to Tacet, in the order of their arrival. Pure.
///
/// A message waits for its preferred start, then for its downloads, and then for Tacet. No later one overtakes it
/// meanwhile, unless it waits for its start.
struct RuterAudioQueue: Hashable {
    struct Part: Hashable {
        enum Content: Hashable {
            case ready(CarriedAudio)
            case url(String)
            /// With the download's number.
            case downloading(Int)
            /// With the reason.
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
        /// Those for this board's speakers.
        var parts: [Part]
        /// Since 1970; nil: as the sound is configured.
        let expiresAt: Duration?
        /// By the monotonic clock.
        let start: Duration
        /// When it is no longer waited for, by the monotonic clock.
        let deadline: Duration
    }

    /// How many messages wait at most, how many bytes of audio, and how many files are downloaded at once.
    private static let most = 32
    private static let mostBytes = 8 << 20
    private static let mostDownloads = 4

    private(set) var messages: [Message] = []
    private var lastDownload = 0
    private var now = Duration.zero

    mutating func advance(to now: Duration) { self.now = now }

    mutating func add(_ message: Message) { messages.append(message) }

    /// Whether another message with these parts may wait.
    func hasRoom(for parts: [Part]) -> Bool {
        messages.count < RuterAudioQueue.most && hasRoom(for: parts.reduce(0) { $0 + $1.size })
    }

    private func hasRoom(for bytes: Int) -> Bool {
        messages.lazy.flatMap(\.parts).reduce(bytes) { $0 + $1.size } <= RuterAudioQueue.mostBytes
    }

    /// The next file to download now; nil if there is none, or enough are being downloaded.
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

    /// A file has been downloaded, or cannot be. Does nothing if its message is no longer waited for.
    mutating func downloaded(_ number: Int, _ result: Result<[UInt8], DownloadFailure>) {
        for index in messages.indices {
            for part in messages[index].parts.indices where messages[index].parts[part].content == .downloading(number)
            {
                switch result {
                case .success(let bytes) where hasRoom(for: bytes.count):
                    messages[index].parts[part].content = .ready(CarriedAudio(bytes))
                case .success: messages[index].parts[part].content = .missing("too much audio waits already")
                case .failure(let failure): messages[index].parts[part].content = .missing("\(failure)")
                }
                return
            }
        }
    }

    /// Removes the first message that can be heard now.
    mutating func takeReady() -> Message? {
        guard let index = messages.firstIndex(where: { $0.start <= now }),
            messages[index].parts.allSatisfy(\.isSettled)
        else { return nil }
        return messages.remove(at: index)
    }

    /// Removes the first message that is no longer waited for.
    mutating func takeOverdue() -> Message? {
        messages.firstIndex { $0.deadline <= now }.map { messages.remove(at: $0) }
    }

    /// When something is due next, if nothing else happens; nil: never.
    var deadline: Duration? { messages.flatMap { [$0.start, $0.deadline] }.filter { $0 > now }.min() }
}

/// Why a file cannot be downloaded, for people.
public struct DownloadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}
