import Glibc

/// A named pipe through which other programs send audio.
final class InputPipe {
    let path: String
    let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t

    /// The permissions of the pipe. The owner and the group may write to it.
    static let mode: mode_t = 0o660

    /// Opens a pipe for reading, and creates it if nothing has its name. The call does not wait for a writer.
    /// - Parameters:
    ///   - path: the path of the pipe, whose folder must exist.
    ///   - writers: those who may write to a pipe that belongs to this process.
    ///   - make: creates the pipe, and returns 0 or sets `errno`.
    init(
        _ path: String, writers: PipeWriters, creatingWith make: (String, mode_t) -> Int32 = { mkfifo($0, $1) }
    ) throws(InputError) {
        self.path = path
        // Check the kind before opening the file, because opening a device may have side effects.
        var status = stat()
        if lstat(path, &status) != 0 {
            guard errno == ENOENT else { throw InputError(path, .open, code: errno) }
            guard make(path, Self.mode) == 0 || errno == EEXIST else { throw InputError(path, .create, code: errno) }
        } else if status.st_mode & S_IFMT != S_IFIFO {
            throw InputError(path, .isOther, code: 0)
        }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? InputError(path, .isOther, code: 0) : InputError(path, .open, code: errno)
        }
        // The file may have been replaced in the meantime.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            close(descriptor)
            throw InputError(path, .isOther, code: 0)
        }
        // The process's umask may have removed permissions.
        if status.st_uid == geteuid() {
            let code = writers.permit(descriptor, status, mode: Self.mode)
            guard code == 0 else {
                close(descriptor)
                throw InputError(path, .permit, code: code)
            }
        }
        self.descriptor = descriptor
        device = status.st_dev
        inode = status.st_ino
    }

    deinit {
        close(descriptor)
    }

    /// Creates a pipe if nothing has its name. Some programs, such as a Music Player Daemon, exit if there is none when
    /// they start. A failure has no effect, because the reader of the pipe reports it.
    static func prepare(_ path: String, writers: PipeWriters) {
        var status = stat()
        if lstat(path, &status) != 0 { _ = try? InputPipe(path, writers: writers) }
    }

    /// True if the path still leads to this pipe.
    var isInPlace: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    /// The number of bytes that have been written and not been read.
    var backlog: Int {
        var bytes: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &bytes) == 0 ? Int(bytes) : 0
    }

    /// Makes room for this many bytes in the pipe, if the system allows it.
    /// - Returns: the number of bytes for which there is room.
    func reserve(_ bytes: Int) -> Int {
        let present = Int(max(0, fcntl(descriptor, getPipeSize)))
        guard bytes > present else { return present }
        return max(present, Int(fcntl(descriptor, setPipeSize, Int32(clamping: bytes))))
    }

    /// Reads bytes without waiting.
    /// - Returns: their number, 0 if there are no writers, or nil if there is nothing to read yet.
    func read(into buffer: UnsafeMutableRawPointer, limit: Int) -> Int? {
        while true {
            let count = Glibc.read(descriptor, buffer, limit)
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }
}

/// The commands F_SETPIPE_SZ and F_GETPIPE_SZ of `fcntl`, which Swift's Glibc module lacks.
private let setPipeSize: Int32 = 1031
private let getPipeSize: Int32 = 1032
