import ALSA
import Configuration
import GPIO

/// What is legal in a configuration, and will disappoint on this board.
struct Inspection {
    let loaded: LoadedConfiguration
    /// The user that the service runs as; nil: this machine has none.
    let account: Account?
    let board: Board
    /// Why an ALSA device cannot be found here; nil if it can.
    let deviceProblem: (_ name: String) -> PCMError?
    /// In the order of the subjects, not of the lines.
    private(set) var warnings: [Diagnostic] = []
    /// What this user cannot judge, and who can.
    private(set) var notes: [String] = []

    /// Looks at everything. Reads the library: that takes as long as its disk.
    init(
        _ loaded: LoadedConfiguration, account: Account? = .service, board: Board? = nil,
        deviceProblem: @escaping (String) -> PCMError? = Inspection.deviceProblem
    ) {
        self.loaded = loaded
        self.account = account
        self.board = board ?? (Wire.all(of: loaded.configuration).isEmpty ? Board(chips: []) : .scan())
        self.deviceProblem = deviceProblem
        inspectFiles()
        inspectLibrary()
        inspectOrder()
        inspectDevice()
        inspectLines()
    }

    var configuration: Configuration { loaded.configuration }

    mutating func warn(_ diagnostic: Diagnostic) { warnings.append(diagnostic) }

    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    private static func deviceProblem(_ name: String) -> PCMError? {
        do throws(PCMError) {
            try PCMAddress(name).find()
            return nil
        } catch { return error }
    }
}
