/// A list that grows without moving its elements.
///
/// While an `Array` grows, it briefly needs three times its memory. An exploration would exceed its memory limit by
/// that amount, and could not detect this beforehand.
struct Pages<Element> {
    private var pages: [ContiguousArray<Element>] = []
    private(set) var count = 0

    private static var shift: Int { 12 }
    private static var size: Int { 1 << shift }

    var indices: Range<Int> { 0..<count }

    subscript(index: Int) -> Element {
        _read { yield pages[index >> Self.shift][index & (Self.size - 1)] }
        _modify { yield &pages[index >> Self.shift][index & (Self.size - 1)] }
    }

    mutating func append(_ element: Element) {
        if count & (Self.size - 1) == 0 {
            var page = ContiguousArray<Element>()
            page.reserveCapacity(Self.size)
            pages.append(page)
        }
        pages[pages.count - 1].append(element)
        count += 1
    }

    mutating func append(_ element: Element, count: Int) {
        for _ in 0..<count { append(element) }
    }
}
