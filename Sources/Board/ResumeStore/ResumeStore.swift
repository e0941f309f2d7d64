import Files
import Glibc

/// Keeps the saved state in a folder, in a file of two slots: a save writes the older one, so that whatever becomes of it,
/// the newer one is still there.
///
/// A value that may be used on any thread; its calls block for as long as the disk does. Whoever saves does so through
/// a `StateFile`, of which there is one for a folder.
public struct ResumeStore: Sendable {
    public let directory: String
    public var path: String { directory + "/state" }
    /// Where a state that cannot be read is kept for diagnosis.
    public var damagedPath: String { path + ".damaged" }

    let calls: any FileCalls

    public init(directory: String, calls: any FileCalls = SystemFileCalls()) {
        self.directory = directory
        self.calls = calls
    }

    /// The state that was saved last, and which one it is; nil on a first boot.
    public func read() throws(StateError) -> StateReading? { try image()?.outcome.get() }

    /// The state that was saved last; nil on a first boot.
    public func load() throws(StateError) -> SavedState? { try read()?.state }

    /// Puts a state that cannot be read aside, so that the next save does not destroy it.
    public func setAside() throws(StateError) {
        do throws(FileError) {
            try check(retrying { calls.rename(path, damagedPath) }, "keep aside", path)
        } catch { throw .file(error) }
    }

    /// What is in the file; nil where there is none.
    func image() throws(StateError) -> StateImage? {
        do throws(FileError) {
            // Not to wait for somebody at the other end, if it is a pipe.
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
