import Files
import Glibc
import ResumeStore

/// A way to save a state so that it survives a power cut.
protocol CheckpointStore {
    static var name: String { get }
    init(folder: String) throws
    func save(_ state: SavedState, text: [UInt8]) throws
}

/// Tacet's way, which writes one page to one of two slots and calls `fdatasync` once.
struct SlotStore: CheckpointStore {
    static let name = "two slots (Tacet)"
    private let file: StateFile

    init(folder: String) { file = StateFile(ResumeStore(directory: folder)) }

    func save(_ state: SavedState, text: [UInt8]) throws { try file.write(state) }
}

/// The usual way, which writes a new file beside the old one, syncs it, renames it, and syncs its folder.
struct RenamingStore: CheckpointStore {
    static let name = "write, fsync, rename, fsync folder"
    private let folder: String

    init(folder: String) { self.folder = folder }

    func save(_ state: SavedState, text: [UInt8]) throws {
        let new = folder + "/renamed.new"
        let file = try OpenFile.open(new, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(text)
        try file.sync()
        guard rename(new, folder + "/renamed") == 0 else { throw FileError("replace", new) }
        try OpenFile.open(folder, O_RDONLY | O_DIRECTORY).sync()
    }
}

/// SQLite with a write-ahead log, which is as durable as the others. It is loaded at run time, so that nothing links to
/// it.
final class DatabaseStore: CheckpointStore {
    static let name = "SQLite (WAL, synchronous=FULL)"
    private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> CInt
    private typealias Execute =
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?
        ) -> CInt

    private let database: OpaquePointer?
    private let execute: Execute

    init(folder: String) throws {
        guard let library = dlopen("libsqlite3.so.0", RTLD_NOW), let open = dlsym(library, "sqlite3_open"),
            let execute = dlsym(library, "sqlite3_exec")
        else { throw StateBenchError("SQLite is not installed: apt-get install libsqlite3-0") }
        var database: OpaquePointer?
        _ = unsafeBitCast(open, to: Open.self)(folder + "/database", &database)
        self.database = database
        self.execute = unsafeBitCast(execute, to: Execute.self)
        try run("PRAGMA journal_mode=WAL")
        try run("PRAGMA synchronous=FULL")
        try run("CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, text TEXT)")
    }

    func save(_ state: SavedState, text: [UInt8]) throws {
        try run("INSERT OR REPLACE INTO state VALUES (1, '\(String(decoding: text, as: UTF8.self))')")
    }

    private func run(_ statement: String) throws {
        let code = execute(database, statement, nil, nil, nil)
        guard code == 0 else { throw StateBenchError("SQLite returns \(code) for \(statement)") }
    }
}

struct StateBenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
