import AudioSession

/// What an observer of the notifications thinks.
enum Observation: UInt8 {
    case quiet, interrupted, beganTwice, endedWithoutBegin

    init(interrupted: Bool) { self = interrupted ? .interrupted : .quiet }

    mutating func hear(_ notification: SessionNotification) {
        switch (notification, self) {
        case (.began, .quiet): self = .interrupted
        case (.began, .interrupted): self = .beganTwice
        case (.ended, .interrupted): self = .quiet
        case (.ended, .quiet): self = .endedWithoutBegin
        default: break
        }
    }
}

/// Signals, by their places in the policy.
struct SignalSet: OptionSet, Hashable {
    /// More than so many have no room in it.
    static let most = UInt16.bitWidth

    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }
    init(_ signal: Int) { rawValue = 1 << UInt16(signal) }

    /// Those places whose elements are meant.
    init<Element>(_ elements: [Element], where isMeant: (Element) -> Bool) {
        self = []
        for place in elements.indices where isMeant(elements[place]) { insert(SignalSet(place)) }
    }

    subscript(_ signal: Int) -> Bool {
        get { contains(SignalSet(signal)) }
        set { if newValue { insert(SignalSet(signal)) } else { remove(SignalSet(signal)) } }
    }
}

/// What is put to the proof: a session's behaviour. A test puts a broken one in its place, to see the rules bite.
public struct Subject {
    public var handle: (inout Session, Event, Duration) -> [Action]
    /// The order in which edges that were read together count.
    public var order: ([Edge]) -> [Edge]

    public init(
        handle: @escaping (inout Session, Event, Duration) -> [Action] = { $0.handle($1, at: $2) },
        order: @escaping ([Edge]) -> [Edge] = { Edge.inOrder($0) }
    ) {
        self.handle = handle
        self.order = order
    }
}
