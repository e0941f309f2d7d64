import Files
import Glibc
import ResumeStore

/// The disk that the state is saved on: a folder; or memory, so that nothing is left behind whatever ends the program.
struct VirtualDisk {
    /// nil: it is kept in memory.
    private let store: ResumeStore?
    private let file: StateFile?
    /// On the folder: the daemon, or another rehearsal, would overwrite the states.
    private let lock: StateLock?
    /// As a file would hold it.
    private var image: StateImage?

    /// - Parameter folder: is made if it is not there.
    init(_ folder: String?) throws(SimulationError) {
        if let folder, mkdir(folder, 0o755) != 0, errno != EEXIST {
            throw SimulationError("\(FileError("make the folder", folder))")
        }
        do throws(StateError) {
            lock = if let folder { try StateLock.take(folder) } else { nil }
        } catch {
            throw SimulationError("\(error)")
        }
        // A rehearsal's power cuts lose nothing that was written.
        store = folder.map { ResumeStore(directory: $0, calls: SystemFileCalls(syncs: false)) }
        file = store.map(StateFile.init)
    }

    func load() throws(StateError) -> SavedState? {
        if let store { return try store.load() }
        return try image?.outcome.get().state
    }

    mutating func save(_ state: SavedState) throws(StateError) {
        if let file { try file.write(state) } else { image = try StateImage(of: state) }
    }

    /// Keeps a damaged state for diagnosis; in memory there is none.
    func setAside() throws(StateError) { try store?.setAside() }
}
