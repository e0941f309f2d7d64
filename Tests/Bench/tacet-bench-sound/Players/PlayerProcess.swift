import Glibc

/// A player under test, which is playing.
protocol PlayerProcess: AnyObject {
    /// The process to measure.
    var pid: pid_t { get }

    /// Sends a command.
    /// - Returns: The time in nanoseconds of CLOCK_MONOTONIC.
    func pause() throws -> Int
    func resume() throws -> Int
    /// Waits until a paused player is as idle as possible, with the device closed if the player closes it.
    func waitUntilIdle() throws
    func quit()
}

/// The players that are compared.
enum Contestant: CaseIterable {
    case tacet, mpd

    /// Starts the player and waits until it has played for a second.
    /// - Parameters:
    ///   - fadeIn: Tacet's fade-in in milliseconds. MPD does not have fades.
    ///   - fadeOut: Tacet's fade-out in milliseconds.
    func start(_ paths: [String], on rig: SoundRig, fadeIn: Int = 0, fadeOut: Int = 60) throws -> PlayerProcess {
        let player: PlayerProcess =
            switch self {
            case .tacet: try TacetPlayer(paths, on: rig, fadeIn: fadeIn, fadeOut: fadeOut)
            case .mpd: try MPDPlayer(paths, on: rig)
            }
        try SoundRig.sleep(.seconds(1))
        return player
    }
}

/// All measured values of one quantity.
struct Sample {
    private(set) var sorted: [Double]

    init(_ values: some Sequence<Double>) { sorted = values.sorted() }

    var count: Int { sorted.count }
    var median: Double { sorted.isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 }
    var least: Double { sorted.first ?? .nan }
    /// The smallest value that 99 % of the values do not exceed. With fewer than 100 values, it is the largest.
    var p99: Double { sorted.isEmpty ? .nan : sorted[min(count - 1, (99 * count + 99) / 100 - 1)] }
}
