import Files
import Glibc

/// A file to read a configuration from.
enum InputFile {
    /// Far more than any configuration needs: who names a film or a device by mistake shall hear of it.
    private static let sizeLimit = 1 << 20

    /// All bytes of a file of at most 1 MiB.
    static func read(_ path: String) throws(Diagnostic) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try OpenFile.open(path, O_RDONLY).readAll(limit: sizeLimit) } catch {
            throw .system("cannot \(error.tried) this file", path, code: error.code)
        }
        guard bytes.count <= sizeLimit else {
            throw Diagnostic(
                .error, file: path, "this file is larger than 1 MiB", advice: "is it a configuration file?")
        }
        return bytes
    }
}

extension Diagnostic {
    /// What the system just said of a file, in its own words.
    static func system(_ tried: String, _ path: String, code: CInt = errno) -> Diagnostic {
        Diagnostic(
            .error, file: path, "\(tried): \(String(cString: strerror(code)))", advice: advice(code, path))
    }

    private static func advice(_ code: CInt, _ path: String) -> String? {
        switch code {
        case ENOENT: isLink(path) ? "it is a link that leads nowhere" : "check the path"
        case EACCES: "check the permissions of the file and of the folders above it"
        case EISDIR: "name a file, not a folder"
        case ENOTDIR: "a folder is expected there"
        default: nil
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
