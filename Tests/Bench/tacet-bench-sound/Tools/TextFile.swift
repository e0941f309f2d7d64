import Files
import Glibc

enum TextFile {
    static func write(_ text: String, to path: String) throws {
        try OpenFile.open(path, O_WRONLY | O_CREAT | O_TRUNC).write(text.utf8)
    }

    static func read(_ path: String) throws -> String {
        String(decoding: try OpenFile.open(path, O_RDONLY).readAll(), as: UTF8.self)
    }
}
