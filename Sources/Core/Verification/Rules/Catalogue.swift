import AudioSession

/// What a catalogue can number.
protocol Numerable: Equatable {
    /// A number in which those that differ seldom agree.
    var fingerprint: Int { get }
}

/// All that was met of a kind, once each, numbered in the order in which it was met.
struct Catalogue<Element: Numerable> {
    private(set) var elements: [Element] = []
    /// A hash table of numbers, at least half of it empty. Its size is a power of two.
    private var slots = Array(repeating: Catalogue.empty, count: 1 << 12)

    private static var empty: Int32 { -1 }

    /// - Returns: the number of an element, and whether it was met before.
    mutating func number(of element: Element) -> (number: Int32, isNew: Bool) {
        let slot = slot(of: element)
        if slots[slot] != Catalogue.empty { return (slots[slot], false) }
        let number = Int32(elements.count)
        slots[slot] = number
        elements.append(element)
        if elements.count * 2 > slots.count { grow() }
        return (number, true)
    }

    subscript(_ number: Int32) -> Element { elements[Int(number)] }

    /// Where an element's number is, or would be.
    private func slot(of element: Element) -> Int {
        let mask = slots.count - 1
        var slot = element.fingerprint & mask
        while slots[slot] != Catalogue.empty, elements[Int(slots[slot])] != element { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: Catalogue.empty, count: slots.count * 4)
        for number in elements.indices { slots[slot(of: elements[number])] = Int32(number) }
    }
}

extension Session: Numerable {
    var fingerprint: Int { hashValue }
}

extension SavedSession: Numerable {
    var fingerprint: Int { hashValue }
}
