import Files
import Glibc

/// Writes states: one page into the slot that is not the newest, and one `fdatasync`.
///
/// Only a slot that this object has itself seen reach the disk is believed to be there, as what is read may be in
/// memory only, and a failed sync says nothing about what was written: the other slot is the one that is written, until
/// it has worked. Where that does not help either (a bad sector, a full disk that copies on write), the file is made
/// anew beside the old one, and takes its name.
///
/// For one thread; blocks for as long as the disk does.
public final class StateFile {
    private let store: ResumeStore
    private var open: Opened?
    /// What is known of the file even when it is closed.
    private var known: Known?
    private var hasFailed = false
    /// Whether a file that was made anew may be gone after a power cut: its folder could not be synced.
    private var isNameUncertain = false

    private struct Opened: ~Copyable {
        let descriptor: CInt
        let calls: any FileCalls

        deinit { calls.close(descriptor) }
    }

    private struct Known {
        let identity: FileIdentity
        /// The slot that is certainly on the disk.
        var durable: Int
        /// The highest number that was ever tried.
        var sequence: Int
    }

    public init(_ store: ResumeStore) { self.store = store }

    /// Returns once it is on the disk, and would be there after a power cut.
    public func write(_ state: SavedState) throws(StateError) {
        let facts = state.facts
        guard facts.count <= StateSlot.capacity else { throw .tooLong(facts.count) }
        do throws(FileError) {
            try write(facts)
            hasFailed = false
        } catch {
            // Its descriptor may have told its error, and would tell no other.
            open = nil
            hasFailed = true
            throw .file(error)
        }
    }

    private func write(_ facts: [UInt8]) throws(FileError) {
        do throws(FileError) {
            try openIfNeeded()
            guard open != nil, !isNameUncertain, let known else { return try makeAnew(facts) }
            try write(facts, slot: 1 - known.durable, of: known)
        } catch {
            // The first failure may be over by the next try.
            guard hasFailed, (try? makeAnew(facts)) != nil else { throw error }
        }
    }

    private func write(_ facts: [UInt8], slot: Int, of file: Known) throws(FileError) {
        let sequence = file.sequence + 1
        known?.sequence = sequence
        guard let record = StateSlot.record(facts, sequence: sequence) else { return }
        try write(record[...], at: slot * StateSlot.size)
        known?.durable = slot
    }

    /// Writes into the open file, and waits for the disk.
    private func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(FileError) {
        guard let descriptor = open?.descriptor else { return }
        try write(bytes, at: offset, of: descriptor, store.path)
        try check(store.retrying { store.calls.syncData(descriptor) }, "sync", store.path)
    }

    // MARK: Opening

    private func openIfNeeded() throws(FileError) {
        // Somebody may have removed it, or put another in its place.
        if open != nil, try identity() != known?.identity { open = nil }
        guard open == nil else { return }
        let file = store.retrying { store.calls.open(store.path, O_RDWR | O_NONBLOCK) }
        guard file != -Int(ENOENT) else { return }
        let opened = Opened(descriptor: CInt(try check(file, "open", store.path)), calls: store.calls)
        var identity = FileIdentity()
        try check(store.retrying { store.calls.identify(opened.descriptor, &identity) }, "look at", store.path)
        let isKnown = identity == known?.identity
        let descriptor = opened.descriptor
        open = consume opened
        if !isKnown { try adopt(identity, descriptor) }
    }

    /// Believes what is in the file, once it is certainly on the disk.
    private func adopt(_ identity: FileIdentity, _ descriptor: CInt) throws(FileError) {
        known = nil
        let image = StateImage(try store.bytes(of: descriptor))
        guard let newest = image.newest, let record = image.record(in: newest.slot) else {
            open = nil
            if case .failure(let error) = image.outcome, error.isDamage { try? store.setAside() }
            return
        }
        // The same bytes: whether or not they were there, the other slot is not touched before they are.
        try write(record, at: newest.slot * StateSlot.size)
        try syncDirectory()
        known = Known(identity: identity, durable: newest.slot, sequence: newest.sequence)
    }

    /// The identity of what has its name; nil where nothing has.
    private func identity() throws(FileError) -> FileIdentity? {
        var identity = FileIdentity()
        let answer = store.retrying { store.calls.identify(store.path, &identity) }
        guard answer != -Int(ENOENT) else { return nil }
        try check(answer, "look at", store.path)
        return identity
    }

    // MARK: A new file

    /// It has a name only when it is whole, and on the disk.
    private func makeAnew(_ facts: [UInt8]) throws(FileError) {
        let sequence = (known?.sequence ?? 0) + 1
        open = nil
        guard let record = StateSlot.record(facts, sequence: sequence) else { return }
        let new = store.path + ".new"
        _ = store.calls.remove(new)
        let file = store.retrying { store.calls.open(new, O_RDWR | O_CREAT | O_EXCL) }
        let opened = Opened(descriptor: CInt(try check(file, "make", new)), calls: store.calls)
        var identity = FileIdentity()
        do throws(FileError) {
            try fill(opened.descriptor, with: record, new)
            try check(store.retrying { store.calls.identify(opened.descriptor, &identity) }, "look at", new)
            try check(store.retrying { store.calls.rename(new, store.path) }, "replace", store.path)
        } catch {
            _ = store.calls.remove(new)
            throw error
        }
        // Until the folder is on the disk, the name may still be the old file's.
        known = nil
        isNameUncertain = true
        try syncDirectory()
        isNameUncertain = false
        known = Known(identity: identity, durable: 0, sequence: sequence)
        open = consume opened
    }

    /// Writes all of it, so that nothing has to be found room for later.
    private func fill(_ descriptor: CInt, with record: [UInt8], _ path: String) throws(FileError) {
        let length = StateSlot.count * StateSlot.size
        // Only where the file system can: writing it takes the room, too.
        let answer = store.retrying { store.calls.allocate(descriptor, length) }
        if ![EOPNOTSUPP, EINVAL, ENOSYS].contains(CInt(-answer)) { try check(answer, "find room for", path) }
        let bytes = record + [UInt8](repeating: 0, count: length - record.count)
        // A page at a time, as it will be written: a kernel that keeps what was written at once in one piece would count
        // all of that as written again.
        for page in stride(from: 0, to: length, by: StateSlot.page) {
            try write(bytes[page..<page + StateSlot.page], at: page, of: descriptor, path)
        }
        try check(store.retrying { store.calls.sync(descriptor) }, "sync", path)
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, at offset: Int, of descriptor: CInt, _ path: String
    ) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = try check(
                store.retrying {
                    bytes.withUnsafeBytes {
                        store.calls.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]), at: offset + done)
                    }
                }, "write", path)
            guard count > 0 else { throw FileError("write", path, code: EIO) }
            done += count
        }
    }

    private func syncDirectory() throws(FileError) {
        let file = store.retrying { store.calls.open(store.directory, O_RDONLY | O_DIRECTORY) }
        let folder = Opened(descriptor: CInt(try check(file, "open", store.directory)), calls: store.calls)
        try check(store.retrying { store.calls.sync(folder.descriptor) }, "sync", store.directory)
    }

    @discardableResult
    private func check(_ answer: Int, _ tried: String, _ path: String) throws(FileError) -> Int {
        try store.check(answer, tried, path)
    }
}
