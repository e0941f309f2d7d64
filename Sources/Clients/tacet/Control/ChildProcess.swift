import Glibc

/// A command that runs as a child of this process, with its terminal and files.
final class ChildProcess {
    private var mask = sigset_t()
    private var process: pid_t = 0

    /// Records the signals that are blocked now, because the command inherits that mask.
    init() {
        sigemptyset(&mask)
        pthread_sigmask(SIG_BLOCK, nil, &mask)
    }

    /// - Parameter command: the program, which is looked up in PATH, and its arguments.
    /// - Returns: 0 or the error's `errno`.
    func start(_ command: [String]) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        return posix_spawnp(&process, command[0], nil, &attributes, arguments, environ)
    }

    func signal(_ number: Int32) {
        if process > 0 { kill(process, number) }
    }

    /// - Returns: the exit code if the command has ended, or 128 plus the signal's number if a signal killed it.
    func reap() -> Int32? {
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, WNOHANG) == process else { return nil }
        process = 0
        let number = status & 0x7f
        return number == 0 ? (status >> 8) & 0xff : 128 + number
    }
}
