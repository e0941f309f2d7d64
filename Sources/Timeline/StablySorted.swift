extension Sequence {
    /// Sorted with equal elements in the order in which they came, which `sorted` does not promise; the same
    /// input must give the same picture everywhere.
    func stablySorted(by areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
        enumerated().sorted { first, second in
            if areInIncreasingOrder(first.element, second.element) { return true }
            if areInIncreasingOrder(second.element, first.element) { return false }
            return first.offset < second.offset
        }.map(\.element)
    }
}
