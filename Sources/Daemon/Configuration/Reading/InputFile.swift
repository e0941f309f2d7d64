import Files
import Glibc

/// Reads configuration files.
package enum InputFile {
    /// The maximum size of a file in bytes, which is far more than any configuration needs. It rejects a film or a
    /// device that was specified by mistake.
    private static let sizeLimit = 1 << 20

    /// Returns all bytes of a file of at most 1 MiB.
    static func read(_ path: String) throws(Diagnostic) -> [UInt8] {
        let bytes: [UInt8]
        // The check is done before the file is opened, because opening a device can have side effects.
        if let other = otherKind(path) {
            throw Diagnostic(
                .error, file: path, "this is \(other), not a file",
                advice: "save a pipe's output to a regular file, and specify that")
        }
        do throws(FileError) {
            // Without O_NONBLOCK, a FIFO that has just replaced the file would wait for a writer.
            bytes = try OpenFile.open(path, O_RDONLY | O_NONBLOCK).readAll(limit: sizeLimit)
        } catch {
            throw .system("cannot \(error.tried) this file", path, code: error.code)
        }
        guard bytes.count <= sizeLimit else {
            throw Diagnostic(
                .error, file: path, "this file is larger than 1 MiB", advice: "is it a configuration file?")
        }
        return bytes
    }

    /// Returns the kind of a path that is neither a file nor a folder, such as “a FIFO”, or nil if it can be opened or
    /// cannot be examined. `/dev/null` is treated as an empty file because it masks drop-ins.
    package static func otherKind(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFIFO: return "a FIFO"
        case S_IFSOCK: return "a socket"
        case S_IFBLK: return "a device"
        case S_IFCHR:
            var null = stat()
            return stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev ? nil : "a device"
        default: return nil
        }
    }
}

extension Diagnostic {
    /// Returns an error for a failed system call on a file, with the system's message.
    static func system(_ tried: String, _ path: String, code: CInt = errno) -> Diagnostic {
        Diagnostic(
            .error, file: path, "\(tried): \(String(errno: code))", advice: advice(code, path))
    }

    private static func advice(_ code: CInt, _ path: String) -> String? {
        switch code {
        case ENOENT: isLink(path) ? "it is a dangling symbolic link" : "check the path"
        case EACCES: "check the permissions of the file and of the folders above it"
        case EISDIR: "specify a file, not a folder"
        case ENOTDIR: "a folder is expected there"
        default: nil
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
