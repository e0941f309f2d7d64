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

    /// Returns all sets of the first signals that have at most a number of members, the smallest first.
    static func all(of signals: Int, most: Int) -> [SignalSet] {
        (0..<UInt32(1) << UInt32(signals)).map { SignalSet(rawValue: UInt16($0)) }.filter { $0.count <= most }
            .sorted { $0.count < $1.count }
    }

    var count: Int { rawValue.nonzeroBitCount }

    /// The signals in ascending order.
    var members: Members { Members(rest: rawValue) }

    struct Members: Sequence, IteratorProtocol {
        fileprivate var rest: UInt16

        mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest - 1 }
            return rest.trailingZeroBitCount
        }
    }

    /// The first signal, or nil if the set is empty.
    var first: Int? { isEmpty ? nil : rawValue.trailingZeroBitCount }

    /// Returns the set after the signals have exchanged their states.
    ///
    /// - Parameter sources: for each signal, the one whose state it receives.
    func exchanged(by sources: [Int]) -> SignalSet {
        SignalSet(sources) { self[$0] }
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
