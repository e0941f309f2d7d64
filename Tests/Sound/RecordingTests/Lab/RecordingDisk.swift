import Chance
import DiskLab
import Glibc
import Recording

/// A `LabDisk` behind the calls of recordings. Each call can be made to fail, any number of times.
///
/// Use it from one thread at a time.
final class RecordingDisk: RecordingCalls, @unchecked Sendable {
    enum Call: CaseIterable, Hashable {
        case makeDirectory, openDirectory, list, fileSystem, create, write, truncate, sync, syncData, names, remove
    }

    let disk: LabDisk
    /// Called before each call; the call fails with the `errno` code it returns, if any.
    var fails: (Call) -> CInt? = { _ in nil }
    private(set) var counts: [Call: Int] = [:]
    private(set) var folders: Set<String> = ["/"]
    /// Descriptors that are open.
    private(set) var open: Set<CInt> = []
    /// Where another file system is mounted; the root's number is 1, and that of the first one 2.
    var mounts: [String] = []
    /// Of a write, the disk takes at most this many bytes.
    var mostBytes = Int.max

    init(seed: UInt64 = 1) {
        disk = LabDisk(seed: seed)
        disk.tearsSectors = false
    }

    func cutPower() {
        disk.cutPower()
        open = []
    }

    private func failure(of call: Call) -> Int? {
        counts[call, default: 0] += 1
        if disk.isOff { return -Int(EIO) }
        return fails(call).map { -Int($0) }
    }

    private func keep(_ descriptor: Int) -> Int {
        if descriptor >= 0 { open.insert(CInt(descriptor)) }
        return descriptor
    }

    private func folder(of path: String) -> String {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }

    func makeDirectory(_ path: String) -> Int {
        if let code = failure(of: .makeDirectory) { return code }
        guard folders.contains(folder(of: path)) else { return -Int(ENOENT) }
        return folders.insert(path).inserted ? 0 : -Int(EEXIST)
    }

    func openDirectory(_ path: String) -> Int {
        if let code = failure(of: .openDirectory) { return code }
        return folders.contains(path) ? keep(disk.open(path, O_RDONLY | O_DIRECTORY)) : -Int(ENOENT)
    }

    func list(_ path: String, _ files: inout [ListedFile]) -> Int {
        if let code = failure(of: .list) { return code }
        for file in disk.paths where folder(of: file) == path {
            files.append(ListedFile(name: String(file.dropFirst(path.count + 1)), size: disk[file]?.count ?? 0))
        }
        return 0
    }

    func fileSystem(of path: String) -> Int {
        if let code = failure(of: .fileSystem) { return code }
        guard folders.contains(path) else { return -Int(ENOENT) }
        return (mounts.firstIndex { path == $0 || path.hasPrefix($0 + "/") } ?? -1) + 2
    }

    /// Deletes a folder with everything in it, as another program would.
    func deleteFolder(_ path: String) {
        folders.remove(path)
        for file in disk.paths where folder(of: file) == path { _ = disk.remove(file) }
    }

    func create(_ path: String) -> Int {
        if let code = failure(of: .create) { return code }
        return keep(disk.open(path, O_RDWR | O_CREAT | O_EXCL))
    }

    /// Fails a call of the disk, with the consequences that this has there: a part of the bytes is written, or none of them
    /// will be.
    private func failing(_ call: Call, _ body: () -> Int) -> Int {
        if let code = failure(of: call) { disk.fails = { _ in CInt(-code) } }
        defer { disk.fails = { _ in nil } }
        return body()
    }

    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        failing(.write) {
            disk.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(mostBytes)), at: offset)
        }
    }

    func truncate(_ descriptor: CInt, to length: Int) -> Int {
        failure(of: .truncate) ?? disk.truncate(descriptor, to: length)
    }

    func sync(_ descriptor: CInt) -> Int { failing(.sync) { disk.sync(descriptor) } }
    func syncData(_ descriptor: CInt) -> Int { failing(.syncData) { disk.syncData(descriptor) } }
    func names(_ descriptor: CInt) -> Int { failure(of: .names) ?? (disk.hasName(descriptor) ? 1 : 0) }

    func close(_ descriptor: CInt) {
        disk.close(descriptor)
        open.remove(descriptor)
    }

    func remove(_ path: String) -> Int { failure(of: .remove) ?? disk.remove(path) }
}
