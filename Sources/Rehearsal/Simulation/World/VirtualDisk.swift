import Files
import Glibc
import ResumeStore

/// Saves the state in a folder, or in memory, which leaves no files however the program ends.
struct VirtualDisk {
    /// nil if the state is kept in memory.
    private let store: ResumeStore?
    private let file: StateFile?
    /// Keeps the daemon and other rehearsals from writing to the folder.
    private let lock: StateLock?
    /// The state in memory, in the file's format.
    private var image: StateImage?

    /// - Parameter folder: created if it does not exist; nil keeps the state in memory.
    init(_ folder: String?) throws(SimulationError) {
        if let folder, mkdir(folder, 0o755) != 0, errno != EEXIST {
            throw SimulationError("\(FileError("make the folder", folder))")
        }
        do throws(StateError) {
            lock = if let folder { try StateLock.take(folder) } else { nil }
        } catch {
            throw SimulationError("\(error)")
        }
        // No fsync: a rehearsed power cut loses nothing that was written.
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

    /// Keeps a damaged state for diagnosis. A state in memory cannot be damaged.
    func setAside() throws(StateError) { try store?.setAside() }
}
