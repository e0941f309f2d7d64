import AudioSession

/// What a supervisor has left to do.
struct Agenda {
    /// The time of the input that is being handled.
    var moment = Moment(.zero, wallClock: .zero)
    /// The report on what is being handled.
    var report: Report?
    /// Other events that wait to be handled.
    var pending: [Cause] = []
    /// The results of searches that have not been handled yet.
    var found: [Cause] = []
    /// The first step is the last element.
    private var steps: [Step] = []
    /// What the present step has added.
    private var added: [Step] = []

    /// Adds a step that follows what the present step has added already, and precedes everything else.
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

/// A step in handling an input. What it needs of the player is known when its turn comes.
enum Step {
    case effect(Supervisor.Effect)
    /// Begins to handle a report's cause.
    case begin(Report)
    /// Gives the present report's cause to the session.
    case handle
    /// Gives an event to the session as part of the present report.
    case event(Event)
    /// Handles the results of a search as part of the present report.
    case found
    case action(Action)
    case save(urgently: Bool)
    /// All of the session's actions have been carried out.
    case conclude
    /// Completes the present report.
    case finish
    /// Completes a report without consequences for the session.
    case report(Report)
    /// Handles one thing that is due.
    case due
    case healthChanged
    /// Boots the session, now that the first track has been searched for.
    /// - Parameter after: the predecessor's faults.
    case boot(Boot, after: [Fault])
    /// Reports the end of those of these faults that are over.
    case clearFaults([Fault])
}
