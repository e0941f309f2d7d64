import Files
import Glibc
import ResumeStore

/// The disk that the state is saved on: a folder; or memory, so that nothing is left behind whatever ends the program.
struct VirtualDisk {
    /// nil: it is kept in memory.
    private let store: ResumeStore?
    /// As a file would hold it.
    private var text: String?

    /// - Parameter folder: is made if it is not there.
    init(_ folder: String?) throws(SimulationError) {
        if let folder, mkdir(folder, 0o755) != 0, errno != EEXIST {
            throw SimulationError("\(FileError("make the folder", folder))")
        }
        store = folder.map { ResumeStore(directory: $0, syncs: false) }
    }

    func load() throws(StateError) -> SavedState? {
        if let store { return try store.load() }
        guard let text else { return nil }
        return try SavedState(text: text)
    }

    mutating func save(_ state: SavedState) throws(StateError) {
        if let store { try store.save(state) } else { text = state.text }
    }

    /// Keeps a damaged state for diagnosis; in memory there is none.
    func setAside() throws(StateError) { try store?.setAside() }
}
