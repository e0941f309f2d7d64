import AudioSession
import Systemd
import Threads
import Vocabulary

/// Follows and controls a running Tacet over the message bus. Any program on the board can use it:
///
///     let session = SessionClient()
///     for await notification in session.notifications() {
///         if case .began = notification { screen.pauseAnimations() }
///     }
///
/// **Threading.** The client waits for the bus on its own thread. You can call every method from any task or thread,
/// because none of them blocks the calling thread. Read each sequence from one task.
///
/// **Reconnecting.** The client connects automatically and reconnects when the bus or the daemon returns. `updates`
/// reports each loss and return, and `notifications` stays consistent across them. While the daemon is unreachable, and
/// until the first `available`, requests throw `unavailable` at once.
///
/// **Back-pressure.** The client never stops reading the bus. Each sequence buffers the newest `capacity` elements, so
/// a slow reader loses its oldest unread elements, but other readers lose nothing. Each `available` and `event`
/// contains the complete state, so the newest one is enough to catch up.
///
/// **Lifetime.** A sequence ends when its task is cancelled or the client is closed. A sequence retains its client. The
/// thread ends once neither is in use.
public final class SessionClient: Sendable {
    private let mailbox = SessionMailbox()

    /// Returns at once and connects in the background.
    ///
    /// Any user may follow the session, but only root and members of the `tacet` group may send commands.
    /// - Parameter bus: the bus that Tacet uses. The service uses the system bus.
    public convenience init(_ bus: BusKind = .system) {
        self.init { SessionFollower(bus) }
    }

    package convenience init(address: String) {
        self.init { SessionFollower(address: address) }
    }

    private init(_ makeFollower: @escaping @Sendable () -> SessionFollower) {
        let mailbox = mailbox
        let thread = NativeThread("tacet-client") { mailbox.serve(makeFollower()) }
        if thread == nil { mailbox.fail(.noThread) }
    }

    deinit { mailbox.close() }

    /// Ends all sequences. Pending and later calls throw `SessionError.closed`.
    public func close() { mailbox.close() }

    // MARK: Following

    /// A sequence of everything that happens to the session, and of changes to the daemon's availability.
    ///
    /// The first element is `available` with the current state or `unavailable`, as soon as that is known.
    /// - Parameter capacity: the number of unread elements to keep, at least 1. Beyond that, the oldest are dropped.
    public func updates(capacity: Int = 64) -> AsyncStream<SessionUpdate> {
        AsyncStream(bufferingPolicy: .bufferingNewest(capacity)) { mailbox.add(.updates($0), for: self) }
    }

    /// The session's notifications, as an observer inside the daemon would receive them. The page “Semantics” of
    /// `AudioSession`'s documentation explains each.
    ///
    /// If an interruption is in progress when the sequence starts, the first notification is `began(appWasSuspended)`.
    /// If a sound is playing at that time, the sequence reports that it began.
    ///
    /// While the bus or the daemon is unavailable, there are no notifications. Anything that began or ended during that
    /// time is reported when they return. To observe the outage itself, read `updates`.
    /// - Parameter capacity: the number of unread elements to keep, at least 1. Beyond that, the oldest are dropped.
    public func notifications(capacity: Int = 64) -> AsyncStream<SessionNotification> {
        AsyncStream(bufferingPolicy: .bufferingNewest(capacity)) {
            mailbox.add(.notifications($0, NotificationBridge()), for: self)
        }
    }

    // MARK: Requests

    /// Returns the current state of the session. Waits at most 5 s.
    /// - Throws: `unavailable` if the daemon cannot be reached, does not answer in time, or is applying another
    ///   configuration, or `closed` after `close`.
    public func snapshot() async throws(SessionError) -> Snapshot {
        guard case .variant(let value)? = try await property(.scene), let snapshot = Snapshot(value) else {
            throw .unavailable("it is applying another configuration, or is another version of Tacet")
        }
        return snapshot
    }

    /// Returns the reason why music plays or is silent right now, as the sentence that `tacet why` prints. Waits at
    /// most 5 s.
    /// - Throws: `unavailable` if the daemon cannot be reached or does not answer in time, or `closed` after `close`.
    public func why() async throws(SessionError) -> String {
        guard case .variant(.string(let sentence))? = try await property(.why) else {
            throw .unavailable("\(SessionUpdate.Unavailability.otherVersion)")
        }
        return sentence
    }

    /// Sends a command and waits for its answer, for at most 5 s.
    ///
    /// Cancelling the calling task neither withdraws the command nor shortens the wait. Use `announce` for
    /// announcements, because a command has neither options nor a number.
    /// - Returns: the daemon's answer, which is `deferred` if the command takes effect once nothing blocks playback any
    ///   more.
    /// - Throws: `denied` unless the caller is root or in the `tacet` group, `refused` if the daemon rejects the
    ///   request, or `unavailable` if the daemon cannot be reached or does not answer in time, in which case it may
    ///   still have executed the command. `closed` is thrown after `close`, or if 1024 requests are waiting to be sent.
    @discardableResult
    public func command(_ command: Command) async throws(SessionError) -> Answer {
        let values = try await request(
            SessionMethod.command.rawValue, of: SessionAddress.session, [.string("\(command)")])
        guard case .string(let name)? = values.first, case .string(let reason)? = values.last,
            let answer = Answer(name: name)
        else { throw .unavailable("\(SessionUpdate.Unavailability.otherVersion)") }
        return if case .commandFailed = answer { .commandFailed(reason) } else { answer }
    }

    /// Requests a sound once, over the music. Waits for the answer for at most 5 s, but not for the sound, which
    /// `notifications` reports with the receipt's number.
    ///
    /// The announcement ends with `soundEnded`, with `soundExpired`, or with a `soundCut` whose cause is `withdrawn`.
    /// After any other `soundCut`, it may be played again.
    ///
    /// If there is a file, the daemon answers once it has read the file, within 20 s, and the request waits for 25 s.
    /// After that, the file can be deleted. The answer is `noSuchContent` if the file cannot be read in time. The
    /// journal contains the reason.
    /// - Parameters:
    ///   - announcement: the announcement, whose `id` is ignored because the daemon numbers announcements.
    ///   - file: the absolute path of an audio file of at most 2 MiB, which is played instead of the sound's own file.
    ///     The daemon must be able to read it. nil plays the sound's own file.
    ///   - level: the level of the file relative to the sound's level. Without a file it has no effect.
    /// - Throws: the errors of `command`, and `refused` if the priority is not between 0 and 100, or if the path is not
    ///   absolute.
    @discardableResult
    public func announce(
        _ announcement: Announcement, file: String? = nil, level: Level = .full
    ) async throws(SessionError) -> AnnouncementReceipt {
        let values = try await request(
            SessionMethod.announce.rawValue, of: SessionAddress.session,
            announcement.busArguments(file: file, level: level),
            within: Announcement.answerTimeout(file: file))
        guard let receipt = AnnouncementReceipt(values) else {
            throw .unavailable("\(SessionUpdate.Unavailability.otherVersion)")
        }
        return receipt
    }

    /// Withdraws all announcements, but not the cues of signals. Waits for the answer for at most 5 s.
    /// - Throws: the errors of `command`.
    @discardableResult
    public func hush() async throws(SessionError) -> Answer { try await command(.hush) }

    private func property(_ property: SessionProperty) async throws(SessionError) -> BusValue? {
        try await request(
            "Get", of: "org.freedesktop.DBus.Properties", [.string(SessionAddress.session), .string(property.rawValue)]
        ).first
    }

    private func request(
        _ member: String, of interface: String, _ arguments: [BusValue],
        within timeout: Duration = SessionFollower.answerTimeout
    ) async throws(SessionError) -> [BusValue] {
        let answer = await withCheckedContinuation { continuation in
            mailbox.send(
                SessionMailbox.Request(
                    member: member, interface: interface, arguments: arguments, timeout: timeout
                ) {
                    continuation.resume(returning: $0)
                })
        }
        return try answer.get()
    }
}
