import CSystemd
import Clocks
import Glibc

/// A connection to a message bus that serves objects in an event loop. It uses systemd's `sd-bus`.
///
/// Nothing here blocks. Requests that are made before the bus is available are executed once it is. After the
/// connection is lost, create another one. Use a connection only on the thread of its event loop.
///
/// A client that floods the connection with calls is slowed down. Queries get only a limited share of the processor and of
/// the queues (`BusRation`), so that clients that do not read their answers do not delay commands. While too many messages
/// are queued nevertheless, no calls are read. A connection that serves objects ends if the bus no
/// longer reads its messages. Clients that do not read can keep dbus-daemon from reading this connection, but not from
/// reading a new one.
public final class Bus {
    let bus: OpaquePointer
    private let loop: EventLoop
    private let whenGone: (String) -> Void
    let callers: BusCallers
    private var slots: [OpaquePointer] = []
    private var served: [Served] = []
    private var subscriptions: [BusSubscription] = []
    /// The requested name, and the closures to call when this connection or another program owns it.
    private var name: Name?
    var ration = BusRation(at: SystemClock.monotonic.now)
    private var isOver = false
    /// The source that waits until the bus accepts more messages. It is set while no calls are read.
    private var throttle: EventSource?
    private var progress = BusProgress()
    /// The timer that ends a connection that the bus does not read. It is nil if no objects are served, because in that
    /// case no other program waits for this connection.
    private var stall: EventTimer?
    /// The receivers of the answers to pending calls and of the signals that are followed (see `Bus+Calling`).
    var receivers: [ObjectIdentifier: BusReceiver] = [:]
    /// The owners that are followed, by name.
    var owners: [String: WeakOwner] = [:]
    /// The messages that this connection has sent and that the bus has not accepted yet.
    private var sent = BusQueue()

    private struct Name {
        let text: String
        let whenOwned: () -> Void
        let whenTaken: () -> Void
        /// True if this connection owns the name.
        var isOwned = false
    }

    /// The context that sd-bus passes to the handler of a call.
    private final class Served {
        let object: BusObject
        weak var bus: Bus?

        init(_ object: BusObject, _ bus: Bus) {
            self.object = object
            self.bus = bus
        }
    }

    /// Connects as soon as the socket of the bus exists.
    /// - Parameters:
    ///   - address: the address at which the bus listens, or nil for its usual address.
    ///   - whenGone: called with the reason when the connection is lost or rejected.
    public init(
        _ kind: BusKind, at address: String? = nil, in loop: EventLoop, whenGone: @escaping (String) -> Void
    ) throws(SystemdError) {
        var made: OpaquePointer?
        try check(sd_bus_new(&made), "connect to the \(kind.rawValue) bus")
        guard let made else { throw SystemdError("connect to the \(kind.rawValue) bus", code: ENOMEM) }
        bus = made
        self.loop = loop
        self.whenGone = whenGone
        callers = BusCallers(made)
        try set(up: kind, at: address ?? kind.address)
    }

    private func set(up kind: BusKind, at address: String) throws(SystemdError) {
        let operation = "connect to the \(kind.rawValue) bus"
        try check(sd_bus_set_address(bus, address), operation)
        try check(sd_bus_set_bus_client(bus, 1), operation)
        try check(sd_bus_set_watch_bind(bus, 1), operation)
        try check(sd_bus_set_exit_on_disconnect(bus, 0), operation)
        try check(sd_bus_start(bus), operation)
        try check(attach(), operation)
        var slot: OpaquePointer?
        try check(
            sd_bus_match_signal_async(
                bus, &slot, nil, "/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local", "Disconnected",
                { message, bus, _ in
                    // Only sd-bus itself sends the genuine signal. A signal from another program has a unique name as
                    // its sender.
                    guard BusReader.name(sd_bus_message_get_sender(message))?.hasPrefix(":") != true else { return 0 }
                    return Bus.end(bus, "the bus closed the connection")
                }, nil, reference), operation)
        keep(slot)
        var filter: OpaquePointer?
        try check(
            sd_bus_add_filter(bus, &filter, { message, bus, _ in Bus.screen(message, bus) }, reference), operation)
        keep(filter)
    }

    deinit {
        callers.end()
        subscriptions = []
        receivers = [:]
        for slot in slots { sd_bus_slot_unref(slot) }
        sd_bus_detach_event(bus)
        sd_bus_close_unref(bus)
    }

    private var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func keep(_ slot: OpaquePointer?) {
        if let slot { slots.append(slot) }
    }

    private static func end(_ reference: UnsafeMutableRawPointer?, _ reason: String) -> Int32 {
        guard let reference else { return 0 }
        // The connection is retained during the call, because `whenGone` can release the last reference.
        let bus = Unmanaged<Bus>.fromOpaque(reference).takeUnretainedValue()
        bus.giveUp(reason)
        return 0
    }

    private func giveUp(_ reason: String) {
        guard !isOver else { return }
        isOver = true
        whenGone(reason)
    }

    // MARK: Floods

    /// The maximum number of messages, and of their bytes, that may be queued while calls are read.
    private static let mostQueued = 256
    private static let mostQueuedBytes = 1 << 20

    private var queued: Int {
        var count: UInt64 = 0
        return sd_bus_get_n_queued_write(bus, &count) >= 0 ? Int(clamping: count) : 0
    }

    /// Returns true if the queued messages exceed one of these limits after dividing the limits by `divisor`.
    private func exceeds(_ messages: Int, _ bytes: Int, dividedBy divisor: Int = 1) -> Bool {
        let queued = self.queued
        sent.settle(queued: queued)
        return queued > messages / divisor || sent.bytes > bytes / divisor
    }

    /// Inspects every message before sd-bus handles it, because sd-bus answers a call to an unknown object with the
    /// object's path, however long that is, and answers some calls without calling `throttleIfBehind`.
    private static func screen(_ message: OpaquePointer?, _ reference: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let reference, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
        let bus = Unmanaged<Bus>.fromOpaque(reference).takeUnretainedValue()
        bus.noteProgress()
        defer { bus.throttleIfBehind() }
        return bus.ration(message)
    }

    /// Limits queries, which any user may send, so that enough time remains for commands. A call that causes an error is
    /// a query as well.
    /// - Returns: more than 0 if the message has been handled.
    private func ration(_ message: OpaquePointer) -> Int32 {
        let member = BusReader.name(sd_bus_message_get_member(message)) ?? ""
        let interface = BusReader.name(sd_bus_message_get_interface(message))
        let path = BusReader.name(sd_bus_message_get_path(message))
        guard served.first(where: { $0.object.path == path })?.object.isQuestion(member, of: interface) ?? true else {
            return 0
        }
        // Ignore queries that do not expect an answer, because a client could send them faster than they can be
        // answered.
        guard sd_bus_message_get_expect_reply(message) > 0 else { return 1 }
        let sender = BusReader.name(sd_bus_message_get_sender(message)) ?? ""
        // While the bus is behind, queries are dropped before commands are delayed.
        let isBehind = exceeds(Bus.mostQueued, Bus.mostQueuedBytes, dividedBy: 2)
        switch ration.judge(sender, isBehind: isBehind, at: SystemClock.monotonic.now) {
        case .answer:
            guard path == nil else { return 0 }
            Bus.refuse(message, .unknownObject)
        case .refuse: Bus.refuse(message, .tooManyQuestions)
        case .ignore: break
        }
        return 1
    }

    /// Counts the processor time of some work on a query. Work that is a part of other work counts once.
    private func charge(_ sender: String?, _ work: () -> Void) {
        guard let sender, !ration.isCharging else { return work() }
        ration.isCharging = true
        let start = SystemClock.read(CLOCK_THREAD_CPUTIME_ID)
        work()
        ration.isCharging = false
        ration.note(.init(time: SystemClock.read(CLOCK_THREAD_CPUTIME_ID) - start), for: sender)
    }

    private func attach() -> Int32 { sd_bus_attach_event(bus, loop.event, Int32(EventPriority.normal.number)) }

    /// Stops reading calls if too many answers are queued, until the bus has accepted most of them.
    private func throttleIfBehind() {
        guard throttle == nil, exceeds(Bus.mostQueued, Bus.mostQueuedBytes) else { return }
        sd_bus_detach_event(bus)
        do {
            // The source belongs to this connection, and does not call back once it is released.
            throttle = try loop.whenWritable(sd_bus_get_fd(bus)) { [unowned self] in write() }
            callers.isHeld = true
        } catch {
            // If the event source cannot be created, calls are read as before, until the longest queue is reached.
            unthrottle()
        }
    }

    private func unthrottle() {
        throttle = nil
        guard attach() >= 0 else { return giveUp("the connection cannot be watched") }
        callers.isHeld = false
    }

    /// Writes queued messages when the bus accepts more.
    private func write() {
        noteProgress()
        // sd-bus writes first, and reads a message only if it could not write any.
        let code = sd_bus_process(bus, nil)
        guard code >= 0 else { return giveUp("the bus closed the connection") }
        noteProgress()
        if !isOver, !exceeds(Bus.mostQueued, Bus.mostQueuedBytes, dividedBy: 2) { unthrottle() }
    }

    // MARK: Stalls

    /// The number of bytes of sent messages that the bus has not read.
    private var unread: Int {
        var count: Int32 = 0
        // TIOCOUTQ has the same number as SIOCOUTQ, which Swift does not import. The call fails until there is a
        // connection.
        guard ioctl(sd_bus_get_fd(bus), UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        return Int(count)
    }

    /// Updates the progress. Call it before and after each message that is sent.
    func noteProgress() {
        guard let stall else { return }
        progress.note(unread: unread, at: SystemClock.monotonic.now)
        if stall.deadline == nil, let deadline = progress.deadline { stall.deadline = deadline }
    }

    /// Ends the connection if the bus has not read enough in time.
    private func endIfStalled() {
        stall?.deadline = nil
        noteProgress()
        if progress.isStalled(at: SystemClock.monotonic.now) {
            giveUp("the bus no longer reads this program's messages")
        }
    }

    /// True if this connection owns its name.
    public var isOwner: Bool { name?.isOwned ?? false }

    /// The name of this connection on the bus, or nil until the bus has assigned one.
    public var uniqueName: String? {
        var name: UnsafePointer<CChar>?
        return sd_bus_get_unique_name(bus, &name) >= 0 ? BusReader.name(name) : nil
    }

    // MARK: Serving

    /// Requests a well-known name, and waits in the queue of the bus while another program owns the name. If the bus
    /// rejects the request, the connection ends. Another program can take the name away with `takeName`, but only if
    /// the policy of the bus allows it to own the name.
    /// - Parameters:
    ///   - whenOwned: called each time this connection acquires the name.
    ///   - whenTaken: called when another program owns the name. This connection acquires the name once that program
    ///     releases it.
    public func own(
        _ name: String, whenOwned: @escaping () -> Void, whenTaken: @escaping () -> Void
    ) throws(SystemdError) {
        self.name = Name(text: name, whenOwned: whenOwned, whenTaken: whenTaken)
        subscriptions = [
            try watch("NameAcquired") { [unowned self] in note(true) },
            try watch("NameLost") { [unowned self] in note(false) },
        ]
        try request(name, [.allowsReplacement, .queues])
    }

    /// Takes the requested name from its owner. Use this only for an earlier connection of this program. If dbus-daemon
    /// does not read a connection, it does not detect that the connection has ended, so the earlier connection may
    /// still own the name.
    public func takeName() throws(SystemdError) {
        guard let name else { return }
        try request(name.text, [.replaces, .allowsReplacement, .queues])
    }

    /// The flags of `sd_bus_request_name_async`.
    private struct NameFlags: OptionSet {
        let rawValue: UInt64
        static let replaces = NameFlags(rawValue: 1)
        static let allowsReplacement = NameFlags(rawValue: 2)
        /// Without this flag, the bus rejects a request for a name that another program owns.
        static let queues = NameFlags(rawValue: 4)
    }

    private func request(_ name: String, _ flags: NameFlags) throws(SystemdError) {
        var slot: OpaquePointer?
        try check(
            sd_bus_request_name_async(
                bus, &slot, name, flags.rawValue,
                { reply, bus, _ in
                    guard let error = sd_bus_message_get_error(reply) else { return Bus.answered(bus, reply) }
                    return Bus.end(
                        bus, error.pointee.message.map { String(cString: $0) } ?? "the bus rejected the name")
                }, reference), "own the name \(name)")
        keep(slot)
    }

    /// Follows one of the bus's signals about the requested name.
    private func watch(_ member: String, _ then: @escaping () -> Void) throws(SystemdError) -> BusSubscription {
        try follow(
            from: BusSender.driver, path: "/org/freedesktop/DBus", interface: BusSender.driver, member: member,
            signature: "s"
        ) { [unowned self] values, _ in
            if let name, values == [.string(name.text)] { then() }
        }
    }

    private func note(_ isOwner: Bool) {
        guard let name, isOwner != name.isOwned else { return }
        self.name?.isOwned = isOwner
        if isOwner { name.whenOwned() } else { name.whenTaken() }
    }

    private static func answered(_ reference: UnsafeMutableRawPointer?, _ reply: OpaquePointer?) -> Int32 {
        var answer: UInt32 = 0
        guard let reference, sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "u")), &answer) > 0 else { return 0 }
        // 2 is DBUS_REQUEST_NAME_REPLY_IN_QUEUE. If the request succeeds, the signal `NameAcquired` follows.
        if answer == 2 { Unmanaged<Bus>.fromOpaque(reference).takeUnretainedValue().name?.whenTaken() }
        return 0
    }

    /// Allows clients to call an object until the connection ends.
    public func serve(_ object: BusObject) throws(SystemdError) {
        if stall == nil { stall = try loop.timer { [unowned self] in endIfStalled() } }
        let entry = Served(object, self)
        served.append(entry)
        var slot: OpaquePointer?
        try check(
            sd_bus_add_object(
                bus, &slot, object.path, { message, served, _ in Bus.answer(message, served) },
                Unmanaged.passUnretained(entry).toOpaque()), "serve \(object.path)")
        keep(slot)
    }

    /// The maximum number of messages, and of their bytes, that may be queued. If a limit is exceeded, `emit` fails.
    private static let longestQueue = 2048
    private static let longestQueueBytes = 4 << 20

    /// Emits a signal. This does nothing while this connection does not own its name, because signals for a bus that
    /// never becomes available would only use memory.
    /// - Throws: `SystemdError` if the bus does not accept messages and too much is queued.
    public func emit(
        _ signal: String, of interface: String, from path: String, _ values: [BusValue] = []
    ) throws(SystemdError) {
        guard isOwner else { return }
        var message: OpaquePointer?
        try check(sd_bus_message_new_signal(bus, &message, path, interface, signal), "send \(signal)")
        defer { sd_bus_message_unref(message) }
        guard let message else { return }
        try BusMessage(message: message).append(values)
        guard !exceeds(Bus.longestQueue, Bus.longestQueueBytes) else {
            throw SystemdError("send \(signal)", code: ENOBUFS)
        }
        noteProgress()
        try check(sd_bus_send(bus, message, nil), "send \(signal)")
        count(values)
    }

    /// Emits `PropertiesChanged` for the properties that have changed.
    public func emitChanges(of object: BusObject) throws(SystemdError) {
        for changes in object.changes() {
            try emit(
                "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: object.path,
                [.string(changes.interface), .dictionary(changes.values), .strings(changes.invalidated)])
        }
    }

    /// The approximate size of a message's header and body, including the overhead of sd-bus.
    private static let messageSize = 512

    /// Counts a message that has been sent.
    /// - Returns: the size of its values.
    @discardableResult
    private func count(_ values: [BusValue]) -> Int {
        let size = values.reduce(0) { $0 + $1.size }
        sent.add(Bus.messageSize + size, queued: queued)
        noteProgress()
        return size
    }

    private static func answer(_ message: OpaquePointer?, _ reference: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let reference, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
        let member = BusReader.name(sd_bus_message_get_member(message)) ?? ""
        let interface = BusReader.name(sd_bus_message_get_interface(message))
        // sd-bus answers calls to this interface for every object.
        if interface == "org.freedesktop.DBus.Peer" { return 0 }
        let served = Unmanaged<Served>.fromOpaque(reference).takeUnretainedValue()
        let isQuestion = served.object.isQuestion(member, of: interface)
        let call = Call(message, isQuestion: isQuestion, on: served.bus)
        call.charge {
            // Every call that is too large is refused before it waits. Until then, a call takes only as much memory as
            // its message.
            do throws(BusError) {
                let (arguments, size) = try call.arguments(of: member, in: interface, for: served.object)
                // `take` may query the bus about the caller.
                defer { served.bus?.noteProgress() }
                served.bus?.callers.take(from: isQuestion ? nil : call.sender, size: Bus.messageSize + size) { caller in
                    switch caller {
                    case .success(let caller):
                        call.carryOut(member, of: interface, arguments, on: served.object, by: caller)
                    case .failure(let error): call.answer(.failure(error))
                    }
                }
            } catch { call.answer(.failure(error)) }
        }
        return 1
    }

    /// A call that has not been answered yet.
    private final class Call {
        /// The message also retains the memory of the connection, but it does not keep the connection open. After the
        /// connection has ended, sd-bus rejects the answer.
        private let message: OpaquePointer
        private weak var bus: Bus?
        /// True if the call cannot change anything, so that its cost is limited.
        private let isQuestion: Bool

        init(_ message: OpaquePointer, isQuestion: Bool, on bus: Bus?) {
            self.message = sd_bus_message_ref(message)
            self.isQuestion = isQuestion
            self.bus = bus
        }

        deinit { sd_bus_message_unref(message) }

        var sender: String? { BusReader.name(sd_bus_message_get_sender(message)) }

        /// Carries out a part of the call, and counts its processor time if it is a query.
        func charge(_ work: () -> Void) {
            guard let bus else { return work() }
            bus.charge(isQuestion ? sender : nil, work)
        }

        private func note(_ cost: BusRation.Cost) {
            if isQuestion, let sender { bus?.ration.note(cost, for: sender) }
        }

        /// Reads the arguments of the call.
        /// - Returns: the arguments, and the part of the size limit that they used.
        /// - Throws: an error if there is no such method, or if the arguments have other types, are too large, or
        ///   contain invalid names.
        func arguments(
            of member: String, in interface: String?, for object: BusObject
        ) throws(BusError) -> (values: [BusValue], cost: Int) {
            guard let inputs = object.inputs(of: member, in: interface) else {
                throw object.missing(member, in: interface)
            }
            guard sd_bus_message_has_signature(message, inputs) > 0 else {
                throw .invalidArguments("\(member) takes arguments of type ‘\(inputs)’")
            }
            let (values, cost) = try read(member)
            if interface == "org.freedesktop.DBus.Properties" { try BusObject.checkNames(values) }
            return (values, cost)
        }

        private func read(_ member: String) throws(BusError) -> (values: [BusValue], cost: Int) {
            do throws(SystemdError) { return try BusReader.read(message, upTo: .call) } catch {
                throw error.code == EMSGSIZE ? .tooLarge(member) : .failed("\(error)")
            }
        }

        func carryOut(
            _ member: String, of interface: String?, _ arguments: [BusValue], on object: BusObject,
            by caller: BusCaller?
        ) {
            object.caller = caller
            object.sender = sender
            defer {
                object.caller = nil
                object.sender = nil
            }
            let reply = BusReply(counting: { self.note(.init(time: $0)) }) { result in
                self.charge { self.answer(result) }
            }
            object.answer(member, of: interface, arguments, reply)
        }

        func answer(_ result: Result<[BusValue], BusError>) {
            bus?.noteProgress()
            do throws(SystemdError) {
                switch result {
                case .success(let values): try Bus.reply(to: message, values)
                case .failure(let error): Bus.refuse(message, error)
                }
            } catch {
                Bus.refuse(message, .failed("\(error)"))
            }
            if let size = bus?.count((try? result.get()) ?? []) { note(.init(bytes: size)) }
            bus?.throttleIfBehind()
        }
    }

    private static func reply(to call: OpaquePointer, _ values: [BusValue]) throws(SystemdError) {
        guard sd_bus_message_get_expect_reply(call) > 0 else { return }
        var message: OpaquePointer?
        try check(sd_bus_message_new_method_return(call, &message), "answer")
        defer { sd_bus_message_unref(message) }
        guard let message else { return }
        try BusMessage(message: message).append(values)
        try check(sd_bus_send(nil, message, nil), "answer")
    }

    private static func refuse(_ call: OpaquePointer, _ error: BusError) {
        error.name.withCString { name in
            error.message.withCString { message in
                var reply = sd_bus_error(name: name, message: message, _need_free: 0)
                sd_bus_reply_method_error(call, &reply)
            }
        }
    }
}
