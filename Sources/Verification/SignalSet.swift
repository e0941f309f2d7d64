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
