import Glibc

/// The amount of work that the tests do.
///
/// A debug build takes fifty times as long as an optimised one to visit every state of a session. For this reason,
/// plain `swift test`, which is a debug build, tests only examples and finishes within minutes. `make test`, which is
/// optimised, tests everything. If the environment contains `TURN=` with a number, only a third of the explored states
/// and samples is tested, and three successive numbers test all of it.
public enum Effort {
    public static var isExhaustive: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    /// The number of turns that test everything.
    public static let turns = 3

    /// The turn of this run, or nil if it tests everything.
    public static let turn: Int? = getenv("TURN").flatMap { Int(String(cString: $0)) }.map { abs($0 % turns) }

    /// Returns true if this run tests the case with this number.
    public static func isDue(_ number: Int) -> Bool {
        isExhaustive && turn.map { $0 == number % turns } ?? true
    }

    /// Returns all of these cases, or the first one as an example.
    public static func cases<Case>(_ all: [Case]) -> [Case] {
        isExhaustive ? all : Array(all.prefix(1))
    }

    /// If `TURN` is set, returns the third of these cases that belongs to that turn. Otherwise, returns all of them, or
    /// the first one as an example.
    public static func casesInTurn<Case>(_ all: [Case]) -> [Case] {
        guard let turn, isExhaustive else { return cases(all) }
        let due = all.indices.filter { $0 % turns == turn }.map { all[$0] }
        return due.isEmpty ? Array(all.prefix(1)) : due
    }

    /// If `TURN` is set, returns the third of this many seeds, from the first one on, that belongs to that turn.
    /// Otherwise, returns all of them.
    public static func seeds(_ count: UInt64, from first: UInt64) -> Range<UInt64> {
        guard let turn else { return first..<first + count }
        let share = (count + UInt64(turns) - 1) / UInt64(turns)
        let start = first + UInt64(turn) * share
        print("seeds \(start) to \(min(start + share, first + count) - 1) of \(first) to \(first + count - 1)")
        return start..<min(start + share, first + count)
    }
}
