import AudioSession

/// A value that a `Catalogue` can number.
protocol Numerable: Equatable {
    /// A hash, which is equal for equal values and rarely equal for different ones.
    var fingerprint: Int { get }
}

/// Distinct values, numbered in the order in which they were first encountered.
struct Catalogue<Element: Numerable> {
    private(set) var elements = Pages<Element>()
    /// An open-addressing hash table of numbers, of which at least half is empty. Its size is a power of two.
    private var slots = Array(repeating: Catalogue.empty, count: 1 << 12)

    private static var empty: Int32 { -1 }

    /// Returns the number of an element, which is added if it is new.
    /// - Returns: the number, and true if the element has just been added.
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

    /// Returns the slot that holds the number of an element, or would hold it.
    private func slot(of element: Element) -> Int {
        let mask = slots.count - 1
        var slot = element.fingerprint & mask
        while slots[slot] != Catalogue.empty, elements[Int(slots[slot])] != element { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: Catalogue.empty, count: slots.count * 2)
        for number in elements.indices { slots[slot(of: elements[number])] = Int32(number) }
    }
}

extension Numerable where Self: Hashable {
    var fingerprint: Int { hashValue }
}

extension Session: Numerable {}
extension SavedSession: Numerable {}
