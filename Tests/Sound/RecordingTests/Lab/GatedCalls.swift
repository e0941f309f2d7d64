import Files
import Glibc
import Synchronization

/// The real system calls, in which writes can be made to wait or to fail.
final class GatedCalls: FileCalls {
    private let real = SystemFileCalls()
    private let isClosed = Atomic(false)
    private let failure = Atomic(Int32(0))

    /// Makes writes wait until `open`.
    func close() { isClosed.store(true, ordering: .relaxed) }
    func open() { isClosed.store(false, ordering: .relaxed) }

    /// Makes writes fail with this `errno` code, or lets them succeed again if it is 0.
    func fail(_ code: Int32) { failure.store(code, ordering: .relaxed) }

    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        while isClosed.load(ordering: .relaxed) { poll(nil, 0, 1) }
        if case let code = failure.load(ordering: .relaxed), code != 0 { return -Int(code) }
        return real.write(descriptor, bytes, at: offset)
    }

    func open(_ path: String, _ flags: CInt, mode: mode_t) -> Int { real.open(path, flags, mode: mode) }
    func close(_ descriptor: CInt) { real.close(descriptor) }
    func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        real.read(descriptor, into: buffer, at: offset)
    }
    func allocate(_ descriptor: CInt, _ length: Int) -> Int { real.allocate(descriptor, length) }
    func truncate(_ descriptor: CInt, to length: Int) -> Int { real.truncate(descriptor, to: length) }
    func sync(_ descriptor: CInt) -> Int { real.sync(descriptor) }
    func syncData(_ descriptor: CInt) -> Int { real.syncData(descriptor) }
    func rename(_ old: String, _ new: String) -> Int { real.rename(old, new) }
    func remove(_ path: String) -> Int { real.remove(path) }
    func makeDirectory(_ path: String, mode: mode_t) -> Int { real.makeDirectory(path, mode: mode) }
    func list(_ path: String, _ files: inout [ListedFile]) -> Int { real.list(path, &files) }
    func inspect(_ descriptor: CInt, _ status: inout FileStatus) -> Int { real.inspect(descriptor, &status) }
    func inspect(_ path: String, _ status: inout FileStatus) -> Int { real.inspect(path, &status) }
}
