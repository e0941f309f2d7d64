import AudioSession

/// The steps that a supervisor still has to execute.
struct Agenda {
    /// The time of the input that is being handled.
    var moment = Moment(.zero, wallClock: .zero)
    /// The report on what is being handled.
    var report: Report?
    /// Other events that have not been handled yet.
    var pending: [Cause] = []
    /// The results of searches that have not been handled yet.
    var found: [Cause] = []
    /// The remaining steps in reverse order, so that the next one is the last element.
    private var steps: [Step] = []
    /// The steps that the current step has added.
    private var added: [Step] = []

    /// Adds a step. It follows those that the current step has already added and precedes all others.
    mutating func add(_ step: Step) { added.append(step) }

    mutating func next() -> Step? {
        steps += added.reversed()
        added = []
        return steps.popLast()
    }

    mutating func takeFound() -> [Cause] {
        defer { found = [] }
        return found
    }
}

/// A step in handling an input. It asks for the player's state only when it is executed.
enum Step {
    case effect(Supervisor.Effect)
    /// Begins to handle a report's cause.
    case begin(Report)
    /// Passes the current report's cause to the session.
    case handle
    /// Passes an event to the session as part of the current report.
    case event(Event)
    /// Handles the results of a search as part of the current report.
    case found
    case action(Action)
    case save(urgently: Bool)
    /// Determines what follows after all of the session's actions have been carried out.
    case conclude
    /// Completes the current report.
    case finish
    /// Completes a report without consequences for the session.
    case report(Report)
    /// Handles the next thing that is due.
    case due
    case healthChanged
    /// Boots the session after the search for the first track.
    /// - Parameter after: The faults of the predecessor.
    case boot(Boot, after: [Fault])
    /// Reports which of these faults have ended.
    case clearFaults([Fault])
}
