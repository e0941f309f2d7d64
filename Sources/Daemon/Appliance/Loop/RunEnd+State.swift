import ResumeStore
import Vocabulary

extension RunEnd {
    /// - Parameters:
    ///   - run: The run that saved the last state, or nil if it is unknown.
    ///   - boot: The current boot.
    init?(_ run: SavedState.Run?, boot: String?) {
        guard let run, let boot else { return nil }
        self = run.isStopping ? .stopped : run.boot == boot ? .killed : .powerCut
    }

    /// The word for people, such as `stopped`, `killed or crashed` or `ended by a power cut or a reset`.
    var participle: String {
        switch self {
        case .stopped: "stopped"
        case .killed: "killed or crashed"
        case .powerCut: "ended by a power cut or a reset"
        }
    }
}
