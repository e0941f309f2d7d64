import Chance
import Files
import Glibc

/// A disk in memory that implements the system calls on files. Each call can be made to fail any number of times. A
/// power cut affects unsynced data as on a real disk. Each sector of 512 bytes keeps its old contents or those of any
/// write since, in any mixture. A new file may have any length. A name may refer to the old file or to the new one.
///
/// Only one thread may use it at a time.
public final class LabDisk: FileCalls, @unchecked Sendable {
    public enum Call: Hashable, Sendable, CaseIterable {
        case open, create, read, write, allocate, truncate, sync, syncData, rename, remove, makeDirectory, list, inspect
    }

    static let sector = 512

    /// Called before each call, which fails with the `errno` code that this returns, if any.
    public var fails: (Call) -> CInt? = { _ in nil }
    /// True if syncs succeed without doing anything.
    public var lies = false
    /// True if a power cut or a failed write may leave a sector half written, which real disks guarantee not to do.
    public var tearsSectors = true
    /// The maximum number of bytes that the disk accepts in a write.
    public var mostBytes = Int.max
    /// The folders that exist, or nil if all exist.
    public private(set) var folders: Set<String>?
    /// The places at which other file systems are mounted. The device number of the root is 1, and that of the first
    /// mount is 2.
    public var mounts: [String] = []
    /// The number of calls during the last of which the power fails, or nil if it stays on.
    public var callsLeft: Int?
    public private(set) var isOff = false
    public private(set) var counts: [Call: Int] = [:]
    public private(set) var bytesWritten = 0

    private var random: SplitMix
    private var files: [Int: LabFile] = [:]
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    /// The names after each change since the last sync of the folder.
    private var pendingNames: [[String: Int]] = []
    /// The file numbers of the open descriptors. The number 0 stands for the folder.
    private var descriptors: [Int: Int] = [:]
    private var nextDescriptor = 3
    private var nextFile = 1

    public init(seed: UInt64 = 1, folders: Set<String>? = nil) {
        random = SplitMix(seed: seed)
        self.folders = folders
    }

    // MARK: Power

    /// Cuts the power and restores it. This closes all files, and each unsynced change survives or not at random.
    public func cutPower() {
        for number in files.keys.sorted() { files[number]?.loseUnsynced(&random, tears: tearsSectors) }
        if !pendingNames.isEmpty {
            durableNames = ([durableNames] + pendingNames).randomElement(using: &random) ?? durableNames
        }
        pendingNames = []
        names = durableNames
        descriptors = [:]
        isOff = false
        callsLeft = nil
    }

    /// Kills the process but not the system. This closes all files and keeps unsynced data.
    public func killProgram() { descriptors = [:] }

    // MARK: Inspection

    /// The paths of all files that a process would see.
    public var paths: [String] { names.keys.sorted() }

    /// The descriptors of the open files and folders.
    public var openDescriptors: Set<Int> { Set(descriptors.keys) }

    /// Deletes a folder with everything in it, as another program would.
    public func deleteFolder(_ path: String) {
        folders?.remove(path)
        for file in paths where folder(of: file) == path { _ = remove(file) }
    }

    /// The contents that a process would read, or nil if there is no such file.
    public subscript(name: String) -> [UInt8]? {
        get { names[name].flatMap { files[$0]?.live } }
        set {
            guard let newValue else {
                names[name] = nil
                durableNames[name] = nil
                return
            }
            let file = LabFile()
            file.restore(newValue)
            files[nextFile] = file
            names[name] = nextFile
            durableNames[name] = nextFile
            nextFile += 1
        }
    }

    public func resetCounts() {
        counts = [:]
        bytesWritten = 0
    }

    /// Returns the `errno` code with which a call must fail, or nil if it must not.
    private func failure(of call: Call) -> CInt? {
        counts[call, default: 0] += 1
        if isOff { return EIO }
        if let left = callsLeft {
            callsLeft = left - 1
            if left <= 1 { isOff = true }
        }
        return isOff ? EIO : fails(call)
    }

    // MARK: Calls

    public func open(_ path: String, _ flags: CInt, mode: mode_t) -> Int {
        if let code = failure(of: flags & O_CREAT != 0 ? .create : .open) { return -Int(code) }
        if flags & O_DIRECTORY != 0, folders?.contains(path) == false { return -Int(ENOENT) }
        var number = flags & O_DIRECTORY != 0 ? 0 : names[path]
        if flags & O_CREAT != 0, number != nil, flags & O_EXCL != 0 { return -Int(EEXIST) }
        if flags & O_CREAT != 0, number == nil {
            number = nextFile
            files[nextFile] = LabFile()
            nextFile += 1
            names[path] = number
            pendingNames.append(names)
        }
        guard let number else { return -Int(ENOENT) }
        descriptors[nextDescriptor] = number
        nextDescriptor += 1
        return nextDescriptor - 1
    }

    public func close(_ descriptor: CInt) { descriptors[Int(descriptor)] = nil }

    public func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        if let code = failure(of: .read) { return -Int(code) }
        guard let file = file(descriptor) else { return -Int(EBADF) }
        let piece = file.live.dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: piece)
        return piece.count
    }

    public func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(mostBytes))
        let wasOff = isOff
        let code = failure(of: .write)
        guard let file = file(descriptor) else { return -Int(EBADF) }
        if let code {
            // A failed write may have written some of its bytes.
            if !wasOff, code == EIO {
                var part = Int.random(in: 0...bytes.count, using: &random)
                if !tearsSectors, part < bytes.count {
                    part = max(0, (offset + part) / Self.sector * Self.sector - offset)
                }
                file.write(UnsafeRawBufferPointer(rebasing: bytes[..<part]), at: offset)
            }
            return -Int(code)
        }
        file.write(bytes, at: offset)
        bytesWritten += bytes.count
        return bytes.count
    }

    public func allocate(_ descriptor: CInt, _ length: Int) -> Int {
        if let code = failure(of: .allocate) { return -Int(code) }
        file(descriptor)?.grow(to: length)
        return 0
    }

    public func truncate(_ descriptor: CInt, to length: Int) -> Int {
        if let code = failure(of: .truncate) { return -Int(code) }
        guard let file = file(descriptor) else { return -Int(EBADF) }
        file.shorten(to: length)
        return 0
    }

    public func sync(_ descriptor: CInt) -> Int { sync(descriptor, .sync) }
    public func syncData(_ descriptor: CInt) -> Int { sync(descriptor, .syncData) }

    private func sync(_ descriptor: CInt, _ call: Call) -> Int {
        let wasOff = isOff
        let code = failure(of: call)
        guard descriptors[Int(descriptor)] != 0 else {
            if let code { return -Int(code) }
            if lies { return 0 }
            durableNames = names
            pendingNames = []
            return 0
        }
        guard let file = file(descriptor) else { return -Int(EBADF) }
        if let code {
            // As in Linux, pages that could not be written are marked clean and are not written again.
            if !wasOff { file.syncInVain(&random, tears: tearsSectors) }
            return -Int(code)
        }
        if !lies { file.sync() }
        return 0
    }

    public func rename(_ old: String, _ new: String) -> Int {
        if let code = failure(of: .rename) { return -Int(code) }
        guard let number = names[old] else { return -Int(ENOENT) }
        names[old] = nil
        names[new] = number
        pendingNames.append(names)
        return 0
    }

    public func remove(_ path: String) -> Int {
        if let code = failure(of: .remove) { return -Int(code) }
        guard names[path] != nil else { return -Int(ENOENT) }
        names[path] = nil
        pendingNames.append(names)
        return 0
    }

    public func makeDirectory(_ path: String, mode: mode_t) -> Int {
        if let code = failure(of: .makeDirectory) { return -Int(code) }
        guard folders?.contains(folder(of: path)) != false else { return -Int(ENOENT) }
        return folders?.insert(path).inserted == true ? 0 : -Int(EEXIST)
    }

    public func list(_ path: String, _ files: inout [ListedFile]) -> Int {
        if let code = failure(of: .list) { return -Int(code) }
        for file in paths where folder(of: file) == path {
            files.append(ListedFile(name: String(file.dropFirst(path.count + 1)), size: self[file]?.count ?? 0))
        }
        return 0
    }

    public func inspect(_ descriptor: CInt, _ status: inout FileStatus) -> Int {
        if let code = failure(of: .inspect) { return -Int(code) }
        guard let number = descriptors[Int(descriptor)] else { return -Int(EBADF) }
        status = FileStatus(FileIdentity(inode: UInt(number)), names: names.values.contains(number) ? 1 : 0)
        return 0
    }

    public func inspect(_ path: String, _ status: inout FileStatus) -> Int {
        if let code = failure(of: .inspect) { return -Int(code) }
        if let number = names[path] {
            status = FileStatus(FileIdentity(inode: UInt(number)))
        } else if folders?.contains(path) == true {
            let mount = mounts.firstIndex { path == $0 || path.hasPrefix($0 + "/") }
            status = FileStatus(FileIdentity(device: UInt((mount ?? -1) + 2)))
        } else {
            return -Int(ENOENT)
        }
        return 0
    }

    private func folder(of path: String) -> String {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }

    private func file(_ descriptor: CInt) -> LabFile? { descriptors[Int(descriptor)].flatMap { files[$0] } }
}
