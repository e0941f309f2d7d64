import AudioSession
import Systemd
import Threads

/// Follows and steers a running Tacet over the message bus, from any program on the board:
///
///     let session = SessionClient()
///     for await notification in session.notifications() {
///         if case .began = notification { screen.pauseAnimations() }
///     }
///
/// **Threads.** A client has a thread of its own, which waits for the bus; everything here may be called from any task
/// or thread, and none of it blocks one. Sequences are read by one task each.
///
/// **Coming and going.** It connects by itself, and again when the bus or the supervisor comes back. `updates` tell of
/// that; `notifications` stay true across it.
///
/// **Back-pressure.** The bus is always read. Each sequence keeps the newest `capacity` elements for its reader: one
/// that does not keep up loses the oldest of those that wait, and the others lose nothing. An update has all that is so,
/// so that the newest is enough to be right again.
///
/// **The end.** A sequence ends when its task is cancelled or the client is closed. It keeps its client; when neither is
/// used any more, the thread ends.
public final class SessionClient: Sendable {
    private let desk = SessionDesk()

    /// Anyone may follow; root and the group `tacet` may command.
    public convenience init(_ bus: BusKind = .system) {
        self.init { SessionFollower(bus) }
    }

    package convenience init(address: String) {
        self.init { SessionFollower(address: address) }
    }

    private init(_ makeFollower: @escaping @Sendable () -> SessionFollower) {
        let desk = desk
        let thread = NativeThread("tacet-client") { desk.serve(makeFollower()) }
        if thread == nil { desk.giveUp(.noThread) }
    }

    deinit { desk.close() }

    /// Ends all sequences; what waits for an answer gets none.
    public func close() { desk.close() }

    // MARK: Following

    /// All that happens to the session, and whether it is there: what is so now first, as soon as it is known.
    public func updates(capacity: Int = 64) -> AsyncStream<SessionUpdate> {
        AsyncStream(bufferingPolicy: .bufferingNewest(capacity)) { desk.add(.updates($0), for: self) }
    }

    /// The session's notifications, as if it were in this process.
    ///
    /// An interruption that is under way when they begin is told as `began(appWasSuspended)`; and what began or ended
    /// while bus or supervisor were away is told when they are back. While they are away nothing is told: who has to
    /// know reads `updates`.
    public func notifications(capacity: Int = 64) -> AsyncStream<SessionNotification> {
        AsyncStream(bufferingPolicy: .bufferingNewest(capacity)) {
            desk.add(.notifications($0, NotificationBridge()), for: self)
        }
    }

    // MARK: Asking

    /// What is so now.
    public func snapshot() async throws(SessionError) -> Snapshot {
        guard case .variant(let value)? = try await property("Scene"), let snapshot = Snapshot(value) else {
            throw .unavailable("it is taking another configuration over, or is of another version")
        }
        return snapshot
    }

    /// Why it sounds, or does not, as it does now: a sentence for people.
    public func why() async throws(SessionError) -> String {
        guard case .variant(.string(let sentence))? = try await property("Why") else {
            throw .unavailable("\(SessionUpdate.Unavailability.otherVersion)")
        }
        return sentence
    }

    /// Has a command carried out. It takes 5 s at most; a task that is cancelled meanwhile does not take it back.
    /// - Returns: what it answers: `deferred`, if it is heard when nothing blocks any more.
    @discardableResult
    public func command(_ command: Command) async throws(SessionError) -> Answer {
        let values = try await ask("Command", of: SessionAddress.session, [.string("\(command)")])
        guard case .string(let name)? = values.first, case .string(let reason)? = values.last,
            let answer = Answer(name: name)
        else { throw .unavailable("\(SessionUpdate.Unavailability.otherVersion)") }
        return if case .commandFailed = answer { .commandFailed(reason) } else { answer }
    }

    private func property(_ name: String) async throws(SessionError) -> BusValue? {
        try await ask(
            "Get", of: "org.freedesktop.DBus.Properties", [.string(SessionAddress.session), .string(name)]
        ).first
    }

    private func ask(
        _ member: String, of interface: String, _ arguments: [BusValue]
    ) async throws(SessionError) -> [BusValue] {
        let answer = await withCheckedContinuation { continuation in
            desk.ask(
                SessionDesk.Request(member: member, interface: interface, arguments: arguments) {
                    continuation.resume(returning: $0)
                })
        }
        return try answer.get()
    }
}
