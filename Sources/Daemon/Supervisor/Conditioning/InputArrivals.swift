import AudioSession
import Configuration
import Signals

/// The arrival of audio at all inputs, and the changes that have not been handled yet. The type is pure, so the caller
/// passes the time.
struct InputArrivals {
    private struct Arrival {
        let input: InputID
        var conditioner: ArrivalConditioner
        /// The change that has not been handled yet.
        var change: ArrivalConditioner.Output?

        /// True if the input sounds, according to the last change that was handled.
        var isSounding: Bool { conditioner.isSounding != (change != nil) }
    }

    /// The inputs, in the order of the configuration.
    private var arrivals: [Arrival] = []

    init() {}

    /// - Parameters:
    ///   - arriving: The inputs at which audio arrives, which sound at once.
    ///   - session: The session after its boot, in which other inputs may sound because their players are kept paused.
    init(_ inputs: [InputSettings], arriving: Set<InputID>, _ session: Session, at now: Duration) {
        arrivals = inputs.map { input in
            Arrival(
                input: input.id,
                conditioner: ArrivalConditioner(
                    policy: input.arrival, arrives: arriving.contains(input.id),
                    isSounding: session.soundingInputs.contains(input.id), at: now))
        }
        hold(session.heldInputs, at: now)
    }

    /// Returns true if the input sounds, according to the last change that was handled.
    func isSounding(_ input: InputID) -> Bool {
        arrivals.contains { $0.input == input && $0.isSounding }
    }

    /// True if any input sounds, including a page without signals.
    var hasSound: Bool { arrivals.contains(where: \.isSounding) }

    /// The time at which an input next begins or ceases to sound unless a change comes first, or nil if none does.
    var deadline: Duration? { arrivals.compactMap(\.conditioner.deadline).min() }

    mutating func arrival(_ arrives: Bool, at input: InputID, now: Duration) {
        for index in arrivals.indices where arrivals[index].input == input {
            arrivals[index].conditioner.arrival(arrives, at: now)
        }
    }

    /// Holds these inputs, and no others.
    mutating func hold(_ inputs: [InputID], at now: Duration) {
        for index in arrivals.indices {
            arrivals[index].conditioner.hold(inputs.contains(arrivals[index].input), at: now)
        }
    }

    mutating func adopt(_ inputs: [InputSettings]) {
        for input in inputs {
            for index in arrivals.indices where arrivals[index].input == input.id {
                arrivals[index].conditioner.adopt(input.arrival)
            }
        }
    }

    /// Removes and returns the next change to handle. Inputs that begin to sound come before those that cease.
    mutating func next(by now: Duration) -> Event? {
        for index in arrivals.indices where arrivals[index].change == nil {
            arrivals[index].change = arrivals[index].conditioner.advance(to: now)
        }
        for change in [ArrivalConditioner.Output.began, .ceased] {
            guard let index = arrivals.firstIndex(where: { $0.change == change }) else { continue }
            arrivals[index].change = nil
            let input = arrivals[index].input
            return change == .began ? .inputBegan(input) : .inputCeased(input)
        }
        return nil
    }
}
