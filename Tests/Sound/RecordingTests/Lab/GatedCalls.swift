import Glibc
import Recording
import Synchronization

/// The real system calls; writes can be made to wait, or to fail.
final class GatedCalls: RecordingCalls {
    private let real = SystemRecordingCalls()
    private let isClosed = Atomic(false)
    private let failure = Atomic(Int32(0))

    /// Writes wait until `open`.
    func close() { isClosed.store(true, ordering: .relaxed) }
    func open() { isClosed.store(false, ordering: .relaxed) }

    /// Writes fail with this `errno` code; 0: no longer.
    func fail(_ code: Int32) { failure.store(code, ordering: .relaxed) }

    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        while isClosed.load(ordering: .relaxed) { poll(nil, 0, 1) }
        if case let code = failure.load(ordering: .relaxed), code != 0 { return -Int(code) }
        return real.write(descriptor, bytes, at: offset)
    }

    func makeDirectory(_ path: String) -> Int { real.makeDirectory(path) }
    func openDirectory(_ path: String) -> Int { real.openDirectory(path) }
    func list(_ path: String, _ files: inout [ListedFile]) -> Int { real.list(path, &files) }
    func fileSystem(of path: String) -> Int { real.fileSystem(of: path) }
    func create(_ path: String) -> Int { real.create(path) }
    func truncate(_ descriptor: CInt, to length: Int) -> Int { real.truncate(descriptor, to: length) }
    func sync(_ descriptor: CInt) -> Int { real.sync(descriptor) }
    func syncData(_ descriptor: CInt) -> Int { real.syncData(descriptor) }
    func names(_ descriptor: CInt) -> Int { real.names(descriptor) }
    func close(_ descriptor: CInt) { real.close(descriptor) }
    func remove(_ path: String) -> Int { real.remove(path) }
}
