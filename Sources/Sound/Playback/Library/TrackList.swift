import Synchronization

/// The tracks of a library in the order in which they are played, by number. They are played in the library's order or
/// in a shuffled order.
///
/// A shuffled list that repeats continues with a new order after each round. Therefore, it has one number for each
/// position in each of its rounds, which is far more than can ever be played. A number and the seed are enough to
/// determine a position.
///
/// A list also contains the tracks that a user has chosen in place of the library's. All copies of a list share them.
public struct TrackList: Sendable {
    /// The tracks in the library's order.
    public let library: [Track]
    private let shuffle: Shuffle?
    private let rounds: Int
    private let chosen: ChosenTracks

    /// Creates a list in the library's order.
    public init(_ library: [Track]) {
        self.init(library, shuffle: nil, rounds: 1, chosen: ChosenTracks())
    }

    /// - Parameters:
    ///   - seed: the seed, which determines the orders of all rounds.
    ///   - repeats: true if another round follows the first one.
    public init(_ library: [Track], shuffledBy seed: UInt64, repeats: Bool) {
        self.init(
            library, shuffle: Shuffle(count: library.count, seed: seed), rounds: repeats ? 1 << 32 : 1,
            chosen: ChosenTracks())
    }

    private init(_ library: [Track], shuffle: Shuffle?, rounds: Int, chosen: ChosenTracks) {
        self.library = library
        self.shuffle = shuffle
        self.rounds = rounds
        self.chosen = chosen
    }

    public var isEmpty: Bool { library.isEmpty }
    /// The number of the library's positions in all rounds.
    public var count: Int { library.count * rounds }

    /// Returns true if the number is one of the library's or of the two latest choices.
    public func contains(_ number: Int) -> Bool { (0..<count).contains(number) || chosen[number] != nil }

    public subscript(number: Int) -> Track { chosen[number] ?? library[index(of: number)] }

    /// Returns the number of different tracks among which a search for this track looks, which are the library's or those
    /// of its choice.
    func searchedCount(for number: Int) -> Int { isChosen(number) ? chosen.count(with: number) : library.count }

    /// Returns the numbers of the choice or of the library's round to which a track belongs, or nil for a number that is
    /// no longer valid.
    func part(with number: Int) -> Range<Int>? {
        if isChosen(number) { return chosen.numbers(with: number) }
        let first = number / library.count * library.count
        return first..<(first + library.count)
    }

    /// - Parameter numbers: numbers of one choice, or of one round of the library.
    func tracks(in numbers: Range<Int>) -> [Track] {
        guard let shuffle, !isChosen(numbers.lowerBound) else { return numbers.map { self[$0] } }
        let (round, start) = numbers.lowerBound.quotientAndRemainder(dividingBy: library.count)
        return shuffle.round(round)[start...].prefix(numbers.count).map { library[$0] }
    }

    // MARK: Choices

    /// Returns true if the number is not one of the library's.
    public func isChosen(_ number: Int) -> Bool { number >= ChosenTracks.first }

    /// Replaces the chosen tracks of this list and all its copies, even if other threads are using them.
    /// - Parameter repeats: true if the first track follows the last one.
    /// - Returns: the numbers of the tracks.
    public func choose(_ tracks: [Track], repeats: Bool) -> Range<Int> {
        chosen.replace(with: tracks, repeats: repeats)
    }

    /// Returns the chosen track that is one step forwards or backwards, or nil past either end of a choice that does not
    /// repeat.
    /// - Parameter step: 1 or −1.
    public func chosenNeighbour(of number: Int, _ step: Int) -> Int? { chosen.neighbour(of: number, step) }

    // MARK: Order

    /// Draws new orders for this list and all its copies, even if other threads are using them.
    /// - Returns: the new seed, or nil if the list is not shuffled.
    public func drawAgain() -> UInt64? { shuffle?.drawAgain() }

    /// Returns the index in the library of the track with a number. A chosen track has no index other than its number.
    public func index(of number: Int) -> Int {
        guard let shuffle, !isChosen(number) else { return number }
        return shuffle.round(number / library.count)[number % library.count]
    }

    /// Returns the number of a track of the library in the same round as another number.
    public func number(ofIndex index: Int, near number: Int) -> Int? {
        guard let shuffle else { return index }
        let round = contains(number) ? number / library.count : 0
        return shuffle.round(round).firstIndex(of: index).map { round * library.count + $0 }
    }
}

/// The orders of the rounds, which are determined by a seed.
///
/// The order of an even round is drawn independently. The order of an odd round is drawn repeatedly until it meets
/// several conditions. It must differ from the orders of both neighbouring rounds, must not begin with the last track
/// of the previous round, and must not end with the first track of the next round. In this way, any round can be
/// determined without determining all previous ones.
private final class Shuffle: Sendable {
    private struct State {
        var seed: UInt64
        /// The orders of some rounds, as drawn with this seed.
        var orders: [Int: [Int]] = [:]
    }

    private let count: Int
    /// The state, which several threads use. No order is drawn while it is locked.
    private let state: Mutex<State>
    private static let mostCached = 4
    /// The maximum number of draws. Even for three tracks, which have only six orders, at least one order meets the
    /// conditions.
    private static let mostDraws = 1000

    init(count: Int, seed: UInt64) {
        self.count = count
        state = Mutex(State(seed: seed))
    }

    /// - Returns: the new seed.
    func drawAgain() -> UInt64 {
        var seed = state.withLock(\.seed)
        let former = order(of: 0, with: seed)
        // Limit the attempts, because a few tracks have only a few orders.
        for _ in 0..<Self.mostDraws {
            var generator = SplitMix64(state: seed)
            seed = generator.next()
            let order = order(of: 0, with: seed)
            if count < 2 || order != former && (count < 3 || order.first != former.last) { break }
        }
        let new = State(seed: seed)
        state.withLock { $0 = new }
        return seed
    }

    func round(_ number: Int) -> [Int] {
        let (seed, known) = state.withLock { ($0.seed, $0.orders[number]) }
        if let known { return known }
        let order = order(of: number, with: seed)
        state.withLock { state in
            // By now, another thread may have drawn a new seed.
            guard state.seed == seed else { return }
            if state.orders.count >= Self.mostCached { state.orders.removeAll() }
            state.orders[number] = order
        }
        return order
    }

    private func order(of number: Int, with seed: UInt64) -> [Int] {
        let isFree = number % 2 == 0 || count < 3
        return isFree
            ? draw(number, seed) : drawBetween(draw(number - 1, seed), draw(number + 1, seed), number, seed)
    }

    private func draw(_ number: Int, _ seed: UInt64) -> [Int] {
        // With two tracks, use the same order in every round, because the tracks can only alternate.
        var generator = generator(count < 3 ? 0 : number, seed)
        return (0..<count).shuffled(using: &generator)
    }

    private func drawBetween(_ before: [Int], _ after: [Int], _ number: Int, _ seed: UInt64) -> [Int] {
        var generator = generator(number, seed)
        var order = before
        for _ in 0..<Self.mostDraws {
            order.shuffle(using: &generator)
            if order.first != before.last, order.last != after.first, order != before, order != after { break }
        }
        return order
    }

    private func generator(_ round: Int, _ seed: UInt64) -> SplitMix64 {
        guard round > 0 else { return SplitMix64(state: seed) }
        var generator = SplitMix64(state: seed ^ UInt64(round) &* 0xd134_2543_de82_ef95)
        return SplitMix64(state: generator.next())
    }
}

/// The random number generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
/// Unlike `SystemRandomNumberGenerator`, it returns the same numbers in every version and on every machine.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
