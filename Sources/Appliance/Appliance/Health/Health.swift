import Threads

/// What is wrong with the appliance itself, until it clears. None of it is a reason to stop: everything else goes on.
public struct Health: Hashable, Sendable {
    public enum Trouble: Int, Hashable, Sendable, CaseIterable {
        case configuration, device, library, folders, storage, stall, state, realTime, microphone
    }

    private var troubles: [Trouble: String] = [:]
    /// What is wrong with the lines of buttons, and what to do: those of signals the session knows of.
    var buttons: [String] = []

    public init() {}

    /// - Parameter words: what is wrong; nil: nothing any more.
    /// - Returns: whether that is news.
    @discardableResult
    public mutating func set(_ trouble: Trouble, _ words: String?) -> Bool {
        let isNews = (troubles[trouble] == nil) != (words == nil)
        troubles[trouble] = words
        return isNews
    }

    /// What of it outlives the wires and the engine.
    var ofTheFiles: Health {
        var files = Health()
        for trouble in [Trouble.configuration, .library, .folders, .state] { files.set(trouble, self[trouble]) }
        return files
    }

    public subscript(_ trouble: Trouble) -> String? { troubles[trouble] }

    /// What is wrong, in words.
    public var words: [String] { buttons + Trouble.allCases.compactMap { troubles[$0] } }
}

/// Watches over control from a thread of its own, as whoever hangs cannot say so.
///
/// It only tells: ending the service is up to the service manager, which is not fed meanwhile.
final class Sentinel: Sendable {
    private let bell = WakeUp()

    /// Watches until the process ends.
    /// - Parameters:
    ///   - patience: how long `live` may fail to come.
    ///   - complain: called on the sentinel's thread, once for each time that control hangs.
    init(patience: Duration, complain: @escaping @Sendable () -> Void) {
        let bell = bell
        // Nobody waits for its end.
        _ = NativeThread("tacet-sentinel") {
            var hasComplained = false
            while true {
                let isAlive = bell.wait(patience)
                if !isAlive, !hasComplained { complain() }
                hasComplained = !isAlive
            }
        }
    }

    /// Control is alive.
    func live() { bell.ring() }
}
