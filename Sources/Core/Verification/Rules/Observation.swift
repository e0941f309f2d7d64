import AudioSession

/// The conclusion that an observer draws from the notifications.
enum Observation: UInt8 {
    case quiet, interrupted, beganTwice, endedWithoutBegin

    init(interrupted: Bool) { self = interrupted ? .interrupted : .quiet }

    mutating func observe(_ notification: SessionNotification) {
        switch (notification, self) {
        case (.began, .quiet): self = .interrupted
        case (.began, .interrupted): self = .beganTwice
        case (.ended, .interrupted): self = .quiet
        case (.ended, .quiet): self = .endedWithoutBegin
        default: break
        }
    }
}

/// A set of signals, represented by their indices in the policy.
struct SignalSet: OptionSet, Hashable {
    /// The maximum number of signals that the set can hold.
    static let maximum = UInt16.bitWidth

    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }
    init(_ signal: Int) { rawValue = 1 << UInt16(signal) }

    /// Creates the set of the indices of the elements that satisfy a condition.
    init<Element>(_ elements: [Element], where isIncluded: (Element) -> Bool) {
        self = []
        for index in elements.indices where isIncluded(elements[index]) { insert(SignalSet(index)) }
    }

    subscript(_ signal: Int) -> Bool {
        get { contains(SignalSet(signal)) }
        set { if newValue { insert(SignalSet(signal)) } else { remove(SignalSet(signal)) } }
    }
}

/// The behaviour that an exploration verifies. A test substitutes a broken one, to check that each rule detects it.
public struct SessionBehaviour {
    public var handle: (inout Session, Event, Duration) -> [Action]
    /// The order in which edges that were read together apply.
    public var order: ([Edge]) -> [Edge]

    public init(
        handle: @escaping (inout Session, Event, Duration) -> [Action] = { $0.handle($1, at: $2) },
        order: @escaping ([Edge]) -> [Edge] = { Edge.inOrder($0) }
    ) {
        self.handle = handle
        self.order = order
    }
}
