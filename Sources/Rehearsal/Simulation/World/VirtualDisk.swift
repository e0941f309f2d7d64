import Files
import Glibc
import ResumeStore

/// Saves the state in a folder or in memory. A state in memory leaves no files behind, however the program ends.
struct VirtualDisk {
    /// The store, or nil if the state is kept in memory.
    private let store: ResumeStore?
    private let file: StateFile?
    /// Prevents the daemon and other rehearsals from writing to the folder.
    private let lock: StateLock?
    /// The state in memory, in the format of the file.
    private var image: StateImage?

    /// Creates a disk.
    /// - Parameter folder: a folder that is created if it does not exist, or nil to keep the state in memory.
    init(_ folder: String?) throws(SimulationError) {
        if let folder, mkdir(folder, 0o755) != 0, errno != EEXIST {
            throw SimulationError("\(FileError("make the folder", folder))")
        }
        do throws(StateError) {
            lock = if let folder { try StateLock.take(folder) } else { nil }
        } catch {
            throw SimulationError("\(error)")
        }
        // There is no fsync, because a rehearsed power cut does not lose anything that was written.
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
