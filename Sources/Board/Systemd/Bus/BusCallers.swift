import CSystemd
import Glibc

/// Identifies callers. It queries the bus once for each connection, without blocking the thread.
///
/// Calls are executed in order of arrival. A call that waits for the identity of its caller therefore delays the calls
/// behind it until the bus answers. A call whose caller remains unknown is refused, because anybody may have sent it.
final class BusCallers {
    /// The time for an answer in µs. Only a bus that is overloaded needs more than a few milliseconds.
    private static let timeout: UInt64 = 5_000_000
    /// The maximum number of waiting calls, and of their bytes. If a limit is exceeded, the oldest call is refused.
    private static let mostWaiting = 1024
    private static let mostBytes = 1 << 20
    /// The maximum number of connections whose callers are remembered. If it is exceeded, all of them are discarded.
    private static let mostKnown = 256

    private let bus: OpaquePointer
    private var known: [String: BusCaller] = [:]
    private var questions: [String: Question] = [:]
    private var waiting: [Call] = []
    private var waitingBytes = 0
    /// True if all calls wait because the bus accepts messages too slowly.
    var isHeld = false {
        didSet { if !isHeld { carryOutWaiting() } }
    }

    private struct Call {
        /// The unique name of the caller, or nil if its identity does not matter.
        let sender: String?
        let size: Int
        let carryOut: (Result<BusCaller?, BusError>) -> Void
    }

    /// The queries about one connection. Releasing this object cancels them.
    private final class Question {
        let name: String
        /// The reference is unowned because `callers` owns this question.
        unowned let callers: BusCallers
        var answer = BusCaller()
        /// True if the bus has answered all queries so far, if only with an error.
        var isAnswered = true
        var open = 0
        var slots: [OpaquePointer] = []

        init(_ name: String, _ callers: BusCallers) {
            self.name = name
            self.callers = callers
        }

        deinit { for slot in slots { sd_bus_slot_unref(slot) } }
    }

    init(_ bus: OpaquePointer) { self.bus = bus }

    /// Discards all waiting calls, because the connection has ended.
    func end() {
        (waiting, waitingBytes) = ([], 0)
        questions = [:]
    }

    /// Executes a call, at once or as soon as its caller is known.
    /// - Parameters:
    ///   - sender: the unique name of the caller, or nil if its identity does not matter.
    ///   - size: the approximate number of bytes that the call takes while it waits.
    ///   - carryOut: called once on the thread of the bus, with the caller, or nil if its identity does not matter. If
    ///     its identity is unknown, it is called with the error that answers the call. It is not called after `end`.
    func take(from sender: String?, size: Int, _ carryOut: @escaping (Result<BusCaller?, BusError>) -> Void) {
        let caller = sender.flatMap { known[$0] }
        if !isHeld, waiting.isEmpty, sender == nil || caller != nil { return carryOut(.success(caller)) }
        // The answer of the bus arrives after all calls that the bus had already received. During a flood, there are
        // many of them.
        while !waiting.isEmpty, waiting.count >= BusCallers.mostWaiting || waitingBytes + size > BusCallers.mostBytes {
            removeFirst().carryOut(.failure(.tooManyCalls))
        }
        waiting.append(Call(sender: sender, size: size, carryOut: carryOut))
        waitingBytes += size
        if let sender, known[sender] == nil, questions[sender] == nil { ask(about: sender) }
    }

    private func ask(about name: String) {
        let question = Question(name, self)
        questions[name] = question
        ask("GetConnectionUnixUser", question) { reply, question, _ in
            BusCallers.take(reply, question) { $0.user = $1 }
        }
        ask("GetConnectionUnixProcessID", question) { reply, question, _ in
            BusCallers.take(reply, question) { $0.process = pid_t(bitPattern: $1) }
        }
        if question.open == 0 { conclude(question) }
    }

    private func ask(_ member: String, _ question: Question, then: @escaping sd_bus_message_handler_t) {
        let driver = BusSender.driver
        var call: OpaquePointer?
        guard sd_bus_message_new_method_call(bus, &call, driver, "/org/freedesktop/DBus", driver, member) >= 0 else {
            return
        }
        defer { sd_bus_message_unref(call) }
        var slot: OpaquePointer?
        guard let call, (try? BusMessage(message: call).append([.string(question.name)])) != nil,
            sd_bus_call_async(
                bus, &slot, call, then, Unmanaged.passUnretained(question).toOpaque(), BusCallers.timeout) >= 0
        else { return }
        if let slot { question.slots.append(slot) }
        question.open += 1
    }

    private static func take(
        _ reply: OpaquePointer?, _ reference: UnsafeMutableRawPointer?, _ note: (inout BusCaller, UInt32) -> Void
    ) -> Int32 {
        guard let reference else { return 0 }
        let question = Unmanaged<Question>.fromOpaque(reference).takeUnretainedValue()
        var value: UInt32 = 0
        if let error = sd_bus_message_get_error(reply) {
            if BusError(error.pointee, code: 0).isTimeout { question.isAnswered = false }
        } else if sd_bus_message_read_basic(reply, CChar(bitPattern: UInt8(ascii: "u")), &value) > 0 {
            note(&question.answer, value)
        }
        question.open -= 1
        if question.open == 0 { question.callers.conclude(question) }
        return 0
    }

    private func conclude(_ question: Question) {
        questions[question.name] = nil
        if question.answer.user != nil {
            if known.count >= BusCallers.mostKnown { known = [:] }
            known[question.name] = question.answer
        } else {
            refuseCalls(of: question.name, because: question.isAnswered ? .unidentified : .tooManyCalls)
        }
        carryOutWaiting()
    }

    private func refuseCalls(of sender: String, because error: BusError) {
        let refused = waiting.filter { $0.sender == sender }
        waiting.removeAll { $0.sender == sender }
        waitingBytes -= refused.map(\.size).reduce(0, +)
        for call in refused { call.carryOut(.failure(error)) }
    }

    private func carryOutWaiting() {
        while !isHeld, let call = waiting.first {
            let caller = call.sender.flatMap { known[$0] }
            // The identity of the caller was discarded because there were too many callers, so query it again.
            if let sender = call.sender, caller == nil {
                if questions[sender] == nil { ask(about: sender) }
                return
            }
            removeFirst().carryOut(.success(caller))
        }
    }

    private func removeFirst() -> Call {
        let call = waiting.removeFirst()
        waitingBytes -= call.size
        return call
    }
}
