import Files
import Glibc

/// Keeps the saved state in a folder, in a file with two slots. A save overwrites the older slot, so that the newer one
/// survives if the save fails.
///
/// It can be used on any thread. Its calls block for as long as the disk does. To save states, use a `StateFile`, and
/// only one for each folder.
public struct ResumeStore: Sendable {
    public let directory: String
    public var path: String { directory + "/state" }
    /// The path to which an unreadable state is moved for diagnosis.
    public var damagedPath: String { path + ".damaged" }

    let calls: any FileCalls

    public init(directory: String, calls: any FileCalls = SystemFileCalls()) {
        self.directory = directory
        self.calls = calls
    }

    /// Returns the state that was saved last, and its slot, or nil if there is no file, as on the first boot.
    public func read() throws(StateError) -> StateReading? { try image()?.outcome.get() }

    /// Returns the state that was saved last, or nil if there is no file, as on the first boot.
    public func load() throws(StateError) -> SavedState? { try read()?.state }

    /// Moves an unreadable state to `damagedPath`, so that the next save does not destroy it.
    public func setAside() throws(StateError) {
        do throws(FileError) {
            try FileError.check("set aside", path) { calls.rename(path, damagedPath) }
        } catch { throw .file(error) }
    }

    /// Returns the contents of the file, or nil if there is no file.
    func image() throws(StateError) -> StateImage? {
        do throws(FileError) {
            // If the file is a pipe, this does not wait for a writer.
            guard let file = try open(O_RDONLY | O_NONBLOCK) else { return nil }
            return StateImage(try file.read(StateImage.longest))
        } catch { throw .file(error) }
    }

    /// Opens the file.
    /// - Returns: nil if there is no file.
    func open(_ flags: CInt) throws(FileError) -> OpenFile? {
        do throws(FileError) { return try OpenFile.open(path, flags, calls: calls) } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// Returns the identity of the file, or nil if there is no file.
    func identity() throws(FileError) -> FileIdentity? {
        var status = FileStatus()
        do throws(FileError) { try FileError.check("inspect", path) { calls.inspect(path, &status) } } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
        return status.identity
    }
}
