import AudioSession
import Playback

/// The current problems of the appliance itself. None of them is a reason to stop, so everything else continues.
public struct Health: Hashable, Sendable {
    public enum Trouble: Int, Hashable, Sendable, CaseIterable {
        case configuration, device, route, jack, library, folders, storage, stall, state, realTime, microphone,
            capture, recording
    }

    private var troubles: [Trouble: String] = [:]
    /// The faults of the buttons' lines, with advice. The session contains the faults of the signals' lines.
    var buttons: [String] = []
    /// The faults of the outputs' lines, with advice.
    var outputs: [String] = []
    /// The reasons why inputs cannot be read or players cannot be controlled.
    var lost: [Fault: String] = [:]
    /// True if the watchdog is fed.
    var makesProgress = true
    /// The library's files of kinds that cannot be played. They are not reported as a trouble, because a film among the
    /// music does not make a board unhealthy.
    var unplayable = UnplayableFiles()

    public init() {}

    /// - Parameter words: The description of the problem, or nil after it has cleared.
    /// - Returns: True if the trouble has begun or cleared.
    @discardableResult
    public mutating func set(_ trouble: Trouble, _ words: String?) -> Bool {
        let isNews = (troubles[trouble] == nil) != (words == nil)
        troubles[trouble] = words
        return isNews
    }

    public subscript(_ trouble: Trouble) -> String? { troubles[trouble] }

    /// True if nothing outside the session prevents the output `healthy` from being on.
    var isGood: Bool { makesProgress && buttons.isEmpty && outputs.isEmpty && lost.isEmpty }

    /// Returns a clause about an input or a player that is lost, or nil if it is not.
    func clause(_ fault: Fault) -> String? {
        lost[fault].map { problem in
            if case .player(let player) = fault.subject {
                "the player \(player) cannot be controlled (\(problem))"
            } else {
                "input \(fault.name) is lost (\(problem))"
            }
        }
    }

    /// The descriptions of all problems.
    public var words: [String] {
        let lost = lost.keys.sorted().compactMap(clause)
        return buttons + outputs + lost + Trouble.allCases.compactMap { troubles[$0] }
    }
}
