import Files
import Glibc

/// Writes states. Each write takes one page, in the older slot, and one `fdatasync`.
///
/// A slot is considered durable only if this object itself has synced it. Data that was read from a file may exist in
/// memory only, and after a failed sync, it is unknown what has reached the disk. Until a write succeeds, it is
/// repeated in the same slot, and the durable slot is not touched. If that also fails (because of a bad sector, or a
/// full disk with a copy-on-write file system), a new file is created beside the old one and renamed over it.
///
/// Use it from one thread only. `write` blocks for as long as the disk does.
public final class StateFile {
    private let store: ResumeStore
    private var open: OpenFile?
    /// The facts that are known about the file, even while it is closed.
    private var known: Known?
    private var hasFailed = false
    /// True if a power cut could lose the name of a new file, because its folder could not be synced.
    private var isNameUncertain = false

    private struct Known {
        let identity: FileIdentity
        /// The slot that is known to be on the disk.
        var durable: Int
        /// The highest sequence number that was ever used, even in a failed write.
        var sequence: Int
    }

    public init(_ store: ResumeStore) { self.store = store }

    /// Writes a state. It returns after the state has reached the disk, where it survives a power cut.
    ///
    /// - Throws: `tooLong` or `file`. The states that were saved before remain readable.
    public func write(_ state: SavedState) throws(StateError) {
        let facts = state.facts
        guard facts.count <= StateSlot.capacity else { throw .tooLong(facts.count) }
        do throws(FileError) {
            try write(facts)
            hasFailed = false
        } catch {
            // A descriptor reports a write-back error only once, so later syncs need a new descriptor.
            open = nil
            hasFailed = true
            throw .file(error)
        }
    }

    private func write(_ facts: [UInt8]) throws(FileError) {
        do throws(FileError) {
            try openIfNeeded()
            guard open != nil, !isNameUncertain, let known else { return try recreate(facts) }
            try write(facts, slot: 1 - known.durable, of: known)
        } catch {
            // A first failure may be temporary, so the file is recreated only after a second one.
            guard hasFailed, (try? recreate(facts)) != nil else { throw error }
        }
    }

    private func write(_ facts: [UInt8], slot: Int, of file: Known) throws(FileError) {
        let sequence = file.sequence + 1
        known?.sequence = sequence
        guard let record = StateSlot.record(facts, sequence: sequence) else { return }
        try write(record[...], at: slot * StateSlot.size)
        known?.durable = slot
    }

    /// Writes into the open file and waits for the disk.
    private func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(FileError) {
        try open?.write(bytes, at: offset)
        try open?.syncData()
    }

    // MARK: Opening

    private func openIfNeeded() throws(FileError) {
        // Another program may have removed or replaced the file.
        if open != nil, try store.identity() != known?.identity { open = nil }
        guard open == nil, let opened = try store.open(O_RDWR | O_NONBLOCK) else { return }
        let identity = try opened.status().identity
        open = consume opened
        if identity != known?.identity { try adopt(identity) }
    }

    /// Uses the newest state of the file, after making sure that it is on the disk.
    private func adopt(_ identity: FileIdentity) throws(FileError) {
        known = nil
        guard let bytes = try open?.read(StateImage.longest) else { return }
        let image = StateImage(bytes)
        guard let newest = image.newest, let record = image.record(in: newest.slot) else {
            open = nil
            if case .failure(let error) = image.outcome, error.isDamage { try? store.setAside() }
            return
        }
        // The same bytes are written again, because this slot must be durable before the other one is overwritten.
        try write(record, at: newest.slot * StateSlot.size)
        try syncDirectory()
        known = Known(identity: identity, durable: newest.slot, sequence: newest.sequence)
    }

    // MARK: A new file

    /// Creates a new file, and renames it over the old one only when it is complete and on the disk.
    private func recreate(_ facts: [UInt8]) throws(FileError) {
        let sequence = (known?.sequence ?? 0) + 1
        open = nil
        guard let record = StateSlot.record(facts, sequence: sequence) else { return }
        let new = store.path + ".new"
        _ = store.calls.remove(new)
        var opened = try OpenFile.open(new, O_RDWR | O_CREAT | O_EXCL, calls: store.calls)
        let identity: FileIdentity
        do throws(FileError) {
            try fill(opened, with: record)
            identity = try opened.status().identity
            try FileError.check("replace", store.path) { store.calls.rename(new, store.path) }
        } catch {
            _ = store.calls.remove(new)
            throw error
        }
        // Until the folder is on the disk, a power cut can restore the old file.
        known = nil
        isNameUncertain = true
        try syncDirectory()
        isNameUncertain = false
        known = Known(identity: identity, durable: 0, sequence: sequence)
        opened.path = store.path
        open = consume opened
    }

    /// Writes both slots completely, so that later writes do not need additional disk space.
    private func fill(_ file: borrowing OpenFile, with record: [UInt8]) throws(FileError) {
        let length = StateSlot.count * StateSlot.size
        // The allocation is optional. A file system that does not support it allocates when the file is written.
        do throws(FileError) { try file.allocate(length) } catch {
            guard [EOPNOTSUPP, EINVAL, ENOSYS].contains(error.code) else { throw error }
        }
        let bytes = record + [UInt8](repeating: 0, count: length - record.count)
        // The file is written one page at a time, as in later writes. From one large write, the kernel may build one
        // large folio, and would then write back all of it after a change to a single page.
        for page in stride(from: 0, to: length, by: StateSlot.page) {
            try file.write(bytes[page..<page + StateSlot.page], at: page)
        }
        try file.sync()
    }

    private func syncDirectory() throws(FileError) {
        try OpenFile.open(store.directory, O_RDONLY | O_DIRECTORY, calls: store.calls).sync()
    }
}
