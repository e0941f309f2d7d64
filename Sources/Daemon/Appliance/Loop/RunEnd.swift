import ResumeStore
import Vocabulary

extension RunEnd {
    /// - Parameters:
    ///   - run: the run that saved the last state; nil if unknown.
    ///   - boot: the present boot.
    init?(_ run: SavedState.Run?, boot: String?) {
        guard let run, let boot else { return nil }
        self = run.isStopping ? .stopped : run.boot == boot ? .killed : .powerCut
    }

    /// `stopped`, `killed`, `ended by a power cut`
    var participle: String {
        switch self {
        case .stopped: "stopped"
        case .killed: "killed, or crashed"
        case .powerCut: "ended by a power cut or a reset"
        }
    }
}
