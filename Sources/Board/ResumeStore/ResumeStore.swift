import Files
import Glibc

/// Keeps the saved state in a folder, in a file with two slots: a save overwrites the older one, so that the newer one
/// survives if the save fails.
///
/// Can be used on any thread; its calls block for as long as the disk does. To save a state, use a `StateFile`, one for
/// each folder.
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

    /// The state saved last, and its slot; nil if there is no file, as on the first boot.
    public func read() throws(StateError) -> StateReading? { try image()?.outcome.get() }

    /// The state saved last; nil if there is no file, as on the first boot.
    public func load() throws(StateError) -> SavedState? { try read()?.state }

    /// Moves an unreadable state to `damagedPath`, so that the next save does not destroy it.
    public func setAside() throws(StateError) {
        do throws(FileError) {
            try check(retrying { calls.rename(path, damagedPath) }, "set aside", path)
        } catch { throw .file(error) }
    }

    /// The contents of the file; nil if there is no file.
    func image() throws(StateError) -> StateImage? {
        do throws(FileError) {
            // If it is a pipe, do not wait for a writer.
            let file = retrying { calls.open(path, O_RDONLY | O_NONBLOCK) }
            if file == -Int(ENOENT) { return nil }
            let descriptor = CInt(try check(file, "open", path))
            defer { calls.close(descriptor) }
            return StateImage(try bytes(of: descriptor))
        } catch { throw .file(error) }
    }

    func bytes(of descriptor: CInt) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: StateImage.longest)
        var done = 0
        while done < bytes.count {
            let count = try check(
                retrying {
                    bytes.withUnsafeMutableBytes {
                        calls.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]), at: done)
                    }
                }, "read", path)
            if count == 0 { break }
            done += count
        }
        return Array(bytes[..<done])
    }

    @discardableResult
    func check(_ answer: Int, _ tried: String, _ path: String) throws(FileError) -> Int {
        guard answer >= 0 else { throw FileError(tried, path, code: CInt(-answer)) }
        return answer
    }

    func retrying(_ call: () -> Int) -> Int {
        while true {
            let answer = call()
            if answer != -Int(EINTR) { return answer }
        }
    }
}
