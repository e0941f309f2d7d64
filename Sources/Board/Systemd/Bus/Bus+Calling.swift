import CSystemd
import Clocks
import Glibc

/// Calls to other programs and their signals, in the event loop. The functions are called on the loop's thread, and not
/// any more once the connection is released.
extension Bus {
    /// Calls a method without waiting for the answer. If the connection is lost, `then` may not be called.
    /// - Parameter timeout: how long the other program may take to answer.
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
            then(BusEvent.answer(in: message) ?? .failure(.failed("the answer is unreadable")))
        }
        receiver.isForOneMessage = true
        try check(
            sd_bus_call_async(
                bus, &receiver.slot, call, { message, receiver, _ in BusReceiver.take(message, receiver) },
                receiver.reference, timeout.microseconds), "call \(member)")
        receivers[ObjectIdentifier(receiver)] = receiver
    }

    /// Follows a signal, until the returned value is released.
    ///
    /// Everything in the signal's head is compared before its body is read, above all who sent it (`BusSender`). A signal
    /// that arrives before the bus has said who owns the sender's name is dropped, so `followOwner` as well, and query the
    /// state once there is an owner.
    /// - Parameters:
    ///   - sender: a unique or well-known name.
    ///   - path: nil for any object.
    ///   - signature: the types of the signal's values; signals with others are dropped.
    ///   - first: what the signal's first argument must be; nil for anything.
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

    /// Reports who owns a name on the bus: once soon, and at each change. A unique name such as ":1.7" has no owner any more
    /// once its program has left the bus.
    /// - Parameter then: receives the owner's unique name; nil if nobody owns the name.
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
        // Another one may have taken its place.
        if owners[name]?.owner == nil { owners[name] = nil }
    }
}

/// A name's owner, as long as somebody follows it.
struct WeakOwner {
    weak var owner: BusOwner?
}

/// What is followed until this is released.
public final class BusSubscription {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}

/// What sd-bus calls with an answer or a signal. The connection owns it.
final class BusReceiver {
    fileprivate(set) var slot: OpaquePointer?
    fileprivate var isForOneMessage = false
    /// Weak: it owns this receiver.
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
        // Retained during the call, because the action can release it or its connection.
        let receiver = Unmanaged<BusReceiver>.fromOpaque(reference).takeUnretainedValue()
        if receiver.isForOneMessage { receiver.end() }
        withExtendedLifetime(receiver.bus) { receiver.action(message) }
        return 0
    }
}

extension Bus {
    /// Handles the connection's messages until a condition holds, or the time has come; for a start, before the event loop
    /// runs. Not for a handler.
    public func wait(until deadline: Duration, _ condition: () -> Bool) {
        while !condition() {
            let rest = deadline - SystemClock.monotonic.now
            guard rest > .zero, sd_bus_process(bus, nil) >= 0, !condition() else { return }
            guard sd_bus_wait(bus, min(rest, .milliseconds(50)).microseconds) >= 0 else { return }
        }
    }
}
