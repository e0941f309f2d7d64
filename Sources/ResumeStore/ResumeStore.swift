import Files
import Glibc

/// Keeps the saved state in a folder: whole, or as it was before.
///
/// A save writes a new file beside the old one, syncs it, and takes its name. Blocking, so not for a control loop.
public struct ResumeStore: Sendable {
    public let directory: String
    public var path: String { directory + "/state" }
    /// Where a state that cannot be read is kept for diagnosis.
    public var damagedPath: String { path + ".damaged" }

    /// Whether a save waits for the disk. A rehearsal's power cuts lose nothing that was written.
    private let syncs: Bool

    public init(directory: String, syncs: Bool = true) {
        self.directory = directory
        self.syncs = syncs
    }

    /// The state that was saved last; nil on a first boot.
    public func load() throws(StateError) -> SavedState? {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try OpenFile.open(path, O_RDONLY).readAll() } catch {
            if error.code == ENOENT { return nil }
            throw .file(error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged("it is no text") }
        return try SavedState(text: text)
    }

    /// Puts a state that cannot be read aside, so that the next save does not destroy it.
    public func setAside() throws(StateError) {
        guard rename(path, damagedPath) == 0 else { throw .file(FileError("keep aside", path)) }
    }

    public func save(_ state: SavedState) throws(StateError) {
        do throws(FileError) { try replace(by: state.text) } catch { throw .file(error) }
    }

    private func replace(by text: String) throws(FileError) {
        let new = path + ".new"
        do throws(FileError) {
            let file = try OpenFile.open(new, O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(text.utf8)
            if syncs { try file.sync() }
        } catch {
            unlink(new)
            throw error
        }
        guard rename(new, path) == 0 else { throw FileError("replace", path) }
        if syncs { try OpenFile.open(directory, O_RDONLY | O_DIRECTORY).sync() }
    }
}
