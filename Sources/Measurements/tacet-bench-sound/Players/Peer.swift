import Glibc

/// A player under test, playing.
protocol Peer: AnyObject {
    /// The process to be measured.
    var pid: pid_t { get }

    /// Gives a command.
    /// - Returns: when, in nanoseconds of CLOCK_MONOTONIC.
    func pause() throws -> Int
    func resume() throws -> Int
    /// Waits until a pause has become all the rest that it will ever be: the device closed, where the player closes it.
    func waitForRest() throws
    func quit()
}

/// The players that are compared.
enum Contestant: CaseIterable {
    case tacet, mpd

    /// Starts it in the midst of a programme: begins to play, and waits until it has played for a second.
    /// - Parameters:
    ///   - fadeIn: Tacet's; MPD has no fades.
    func perform(_ paths: [String], on stage: Stage, fadeIn: Int = 0, fadeOut: Int = 60) throws -> Peer {
        let peer: Peer =
            switch self {
            case .tacet: try TacetPeer(paths, on: stage, fadeIn: fadeIn, fadeOut: fadeOut)
            case .mpd: try MPDPeer(paths, on: stage)
            }
        try Stage.pass(.seconds(1))
        return peer
    }
}

/// Measured values of one thing.
struct Sample {
    private(set) var sorted: [Double]

    init(_ values: some Sequence<Double>) { sorted = values.sorted() }

    var count: Int { sorted.count }
    var median: Double { sorted.isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 }
    var least: Double { sorted.first ?? .nan }
    /// The least value that 99 of 100 do not exceed: of fewer than a hundred values, the greatest.
    var p99: Double { sorted.isEmpty ? .nan : sorted[min(count - 1, (99 * count + 99) / 100 - 1)] }
}
