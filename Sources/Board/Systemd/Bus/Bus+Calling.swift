import CSystemd
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
            guard case .answer(_, let result)? = message else {
                return then(.failure(.failed("the answer is unreadable")))
            }
            then(result)
        }
        receiver.isForOneMessage = true
        try check(
            sd_bus_call_async(
                bus, &receiver.slot, call, { message, receiver, _ in BusReceiver.take(message, receiver) },
                receiver.reference, timeout.microseconds), "call \(member)")
        receivers[ObjectIdentifier(receiver)] = receiver
    }

    /// Follows signals, until the returned value is released.
    /// - Parameters:
    ///   - sender: a unique or well-known name.
    ///   - path: nil for any object.
    ///   - member: nil for any signal of the interface.
    ///   - first: what the signal's first argument must be; nil for anything.
    public func follow(
        from sender: String, path: String? = nil, interface: String, member: String? = nil, first: String? = nil,
        then: @escaping ([BusValue], BusEvent.Signal) -> Void
    ) throws(SystemdError) -> BusSubscription {
        var rule = "type='signal',sender='\(sender)',interface='\(interface)'"
        if let path { rule += ",path='\(path)'" }
        if let member { rule += ",member='\(member)'" }
        if let first { rule += ",arg0='\(first)'" }
        let receiver = BusReceiver(bus: self) { message in
            if case .signal(let signal)? = message { then(signal.values, signal) }
        }
        try check(
            sd_bus_add_match_async(
                bus, &receiver.slot, rule, { message, receiver, _ in BusReceiver.take(message, receiver) }, nil,
                receiver.reference), "follow \(interface)")
        receivers[ObjectIdentifier(receiver)] = receiver
        return BusSubscription(receiver)
    }

    /// Reports who owns a name on the bus: once soon, and at each change. A unique name such as ":1.7" has no owner any more
    /// once its program has left the bus.
    /// - Parameter then: receives the owner's unique name; nil if nobody owns the name.
    public func followOwner(
        of name: String, then: @escaping (String?) -> Void
    ) throws(SystemdError) -> BusSubscription {
        let driver = "org.freedesktop.DBus"
        let subscription = try follow(
            from: driver, path: "/org/freedesktop/DBus", interface: driver, member: "NameOwnerChanged", first: name
        ) { values, _ in
            guard values.count == 3, case .string(let owner) = values[2] else { return }
            then(owner.isEmpty ? nil : owner)
        }
        // The bus answers after it has begun to report changes, so none is missed in between.
        try askOwner(of: name, for: subscription, then)
        return subscription
    }

    private func askOwner(
        of name: String, for subscription: BusSubscription, _ then: @escaping (String?) -> Void
    ) throws(SystemdError) {
        let driver = "org.freedesktop.DBus"
        try call("GetNameOwner", of: driver, at: "/org/freedesktop/DBus", on: driver, [.string(name)]) {
            [weak self, weak subscription] answer in
            guard let subscription else { return }
            switch answer {
            case .success(let values):
                if case .string(let owner)? = values.first { then(owner) } else { then(nil) }
            // A bus that is slow has not said that nobody owns the name.
            case .failure(let error) where error.isTimeout && self != nil:
                do throws(SystemdError) { try self?.askOwner(of: name, for: subscription, then) } catch { then(nil) }
            case .failure: then(nil)
            }
        }
    }
}

/// Signals that are followed until this is released.
public final class BusSubscription {
    private let receiver: BusReceiver

    init(_ receiver: BusReceiver) { self.receiver = receiver }

    deinit { receiver.end() }
}

/// What sd-bus calls with an answer or a signal. The connection owns it.
final class BusReceiver {
    fileprivate(set) var slot: OpaquePointer?
    fileprivate var isForOneMessage = false
    /// Weak: it owns this receiver.
    private weak var bus: Bus?
    private let action: (BusEvent?) -> Void

    init(bus: Bus, _ action: @escaping (BusEvent?) -> Void) {
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
        withExtendedLifetime(receiver.bus) { receiver.action(BusEvent(message)) }
        return 0
    }
}

extension Bus {
    /// Handles the connection's messages until a condition holds, or the time has come; for a start, before the event loop
    /// runs. Not for a handler.
    public func wait(until deadline: Duration, _ condition: () -> Bool) {
        while !condition() {
            let rest = deadline - EventClock.monotonic.now
            guard rest > .zero, sd_bus_process(bus, nil) >= 0, !condition() else { return }
            guard sd_bus_wait(bus, min(rest, .milliseconds(50)).microseconds) >= 0 else { return }
        }
    }
}
