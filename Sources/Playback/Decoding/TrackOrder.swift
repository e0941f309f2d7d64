/// Which track comes after which, by index; nil where there is none.
public struct TrackOrder {
    /// What follows when a track has ended by itself.
    public var successor: (Int) -> Int?
    /// The neighbours, which are tried instead of a track that cannot be played.
    public var next: (Int) -> Int?
    public var previous: (Int) -> Int?

    public init(
        successor: @escaping (Int) -> Int?, next: @escaping (Int) -> Int?, previous: @escaping (Int) -> Int?
    ) {
        self.successor = successor
        self.next = next
        self.previous = previous
    }
}
