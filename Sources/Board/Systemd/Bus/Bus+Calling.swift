import CSystemd
import Clocks
import Glibc

/// Calls to other programs, and subscriptions to their signals, in the event loop. Handlers are called on the thread of
/// the loop. They are not called once the connection is released.
extension Bus {
    /// Calls a method without waiting for the answer. If the connection is lost, `then` may not be called. If the
    /// destination is a unique name, only the answer of this program counts.
    /// - Parameter timeout: the time within which the other program must answer.
    public func call(
        _ member: String, of interface: String, at path: String, on destination: String,
        _ arguments: [BusValue] = [], within timeout: Duration = .seconds(5),
        then: @escaping (Result<[BusValue], BusError>) -> Void
    ) throws(SystemdError) {
        var call: OpaquePointer?
        try check(
            sd_bus_message_new_method_call(bus, &call, destination, path, interface, member), "call \(member)")
        defer { sd_bus_message_unref(call) }
        guard let call else { throw SystemdError("call \(member)", code: ENOMEM) }
        try BusMessage(message: call).append(arguments)
        let receiver = BusReceiver(bus: self) { message in
            guard BusSender.canAnswer(BusReader.name(sd_bus_message_get_sender(message)), for: destination) else {
                return then(.failure(.failed("another program has answered")))
            }
            then(BusEvent.answer(in: message) ?? .failure(.failed("the answer is unreadable")))
        }
        receiver.isForOneMessage = true
        try check(
            sd_bus_call_async(
                bus, &receiver.slot, call, { message, receiver, _ in BusReceiver.take(message, receiver) },
                receiver.reference, timeout.microseconds), "call \(member)")
        receivers[ObjectIdentifier(receiver)] = receiver
    }

    /// Calls a method of the bus itself, as `call` does for another program.
    public func callDriver(
        _ member: String, _ arguments: [BusValue] = [], within timeout: Duration = .seconds(5),
        then: @escaping (Result<[BusValue], BusError>) -> Void
    ) throws(SystemdError) {
        try call(
            member, of: BusSender.driver, at: "/org/freedesktop/DBus", on: BusSender.driver, arguments, within: timeout,
            then: then)
    }

    /// Follows a signal until the returned value is released.
    ///
    /// The whole header of a signal is checked before its body is read. The most important check is that of the sender
    /// (`BusSender`). A signal is dropped if it arrives before the bus has reported the owner of the sender's name.
    /// Therefore, use `followOwner` as well, and query the state once there is an owner.
    /// - Parameters:
    ///   - sender: the unique or well-known name of the sender.
    ///   - path: the object, or nil for any object.
    ///   - signature: the types of the signal's values. Signals with other types are dropped.
    ///   - first: the required value of the signal's first argument, or nil for any value.
    public func follow(
        from sender: String, path: String? = nil, interface: String, member: String, signature: String,
        first: String? = nil, then: @escaping ([BusValue], BusEvent.Signal) -> Void
    ) throws(SystemdError) -> BusSubscription {
        var rule = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
        if let path { rule += ",path='\(path)'" }
        if let first { rule += ",arg0='\(first)'" }
        let owner = BusSender.isWellKnown(sender) ? try self.owner(of: sender) : nil
        let receiver = BusReceiver(bus: self) { message in
            guard sd_bus_message_has_signature(message, signature) > 0, let head = BusEvent.Head(message),
                BusSender.isGenuine(head.sender, from: sender, ownedBy: owner?.owner),
                let signal = BusEvent.Signal(message, head)
            else { return }
            then(signal.values, signal)
        }
        try check(
            sd_bus_add_match_async(
                bus, &receiver.slot, rule, { message, receiver, _ in BusReceiver.take(message, receiver) }, nil,
                receiver.reference), "follow \(interface)")
        receivers[ObjectIdentifier(receiver)] = receiver
        return BusSubscription { receiver.end() }
    }

    /// Reports the owner of a name on the bus, once soon and then after each change. A unique name such as ":1.7" no
    /// longer has an owner once its program has left the bus.
    /// - Parameter then: receives the unique name of the owner, or nil if the name has no owner.
    public func followOwner(
        of name: String, then: @escaping (String?) -> Void
    ) throws(SystemdError) -> BusSubscription {
        let owner = try self.owner(of: name)
        let number = try owner.add(then)
        return BusSubscription { owner.remove(number) }
    }

    private func owner(of name: String) throws(SystemdError) -> BusOwner {
        if let owner = owners[name]?.owner { return owner }
        let owner = try BusOwner(of: name, on: self)
        owners[name] = WeakOwner(owner: owner)
        return owner
    }

    func forgetOwner(of name: String) {
        // By now, a new object may have replaced this one.
        if owners[name]?.owner == nil { owners[name] = nil }
    }
}

/// A weak reference to the `BusOwner` of a name, which exists while there are subscriptions to the name.
struct WeakOwner {
    weak var owner: BusOwner?
}

/// A subscription, which ends when this object is released.
public final class BusSubscription {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}

/// The object that sd-bus calls with an answer or a signal. The connection owns it.
final class BusReceiver {
    fileprivate(set) var slot: OpaquePointer?
    fileprivate var isForOneMessage = false
    /// The reference is weak because the connection owns this receiver.
    private weak var bus: Bus?
    private let action: (OpaquePointer) -> Void

    init(bus: Bus, _ action: @escaping (OpaquePointer) -> Void) {
        self.bus = bus
        self.action = action
    }

    deinit { sd_bus_slot_unref(slot) }

    fileprivate var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    fileprivate func end() { bus?.receivers[ObjectIdentifier(self)] = nil }

    fileprivate static func take(_ message: OpaquePointer?, _ reference: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let reference else { return 0 }
        // The receiver is retained during the call, because the action can release it or its connection.
        let receiver = Unmanaged<BusReceiver>.fromOpaque(reference).takeUnretainedValue()
        if receiver.isForOneMessage { receiver.end() }
        withExtendedLifetime(receiver.bus) { receiver.action(message) }
        return 0
    }
}

extension Bus {
    /// Handles the messages of the connection until a condition is met or the deadline is reached. Use this only during
    /// startup, before the event loop runs. Handlers must not call it.
    public func wait(until deadline: Duration, _ condition: () -> Bool) {
        while !condition() {
            let rest = deadline - SystemClock.monotonic.now
            guard rest > .zero, sd_bus_process(bus, nil) >= 0, !condition() else { return }
            guard sd_bus_wait(bus, min(rest, .milliseconds(50)).microseconds) >= 0 else { return }
        }
    }
}
