import Files
import Fleet
import Glibc
import Synchronization
import Threads
import Time

/// Downloads files with curl(1), each in a separate process. Data from a server is therefore parsed outside this
/// program, and boards that download nothing need no HTTP library. No method waits for a download. It is thread-safe.
final class Downloads: Sendable {
    private let results = Mutex<[(number: Int, result: Result<[UInt8], DownloadFailure>)]>([])
    /// Becomes readable when there are results.
    let news = WakeUp()

    /// - Parameters:
    ///   - number: the number that the result repeats.
    ///   - url: an address with http or https. Redirections are not followed, because they could lead anywhere.
    func begin(_ number: Int, _ url: String, within time: Duration) {
        let thread = NativeThread("tacet-mqtt-get") { [self] in
            post(number, Downloads.download(url, within: time))
        }
        if thread == nil {
            post(number, .failure(DownloadFailure(description: "\(url): the system cannot start another thread")))
        }
    }

    func takeResults() -> [(number: Int, result: Result<[UInt8], DownloadFailure>)] {
        news.wait(.zero)
        return results.withLock { results in
            defer { results = [] }
            return results
        }
    }

    private func post(_ number: Int, _ result: Result<[UInt8], DownloadFailure>) {
        results.withLock { $0.append((number, result)) }
        news.ring()
    }

    private static func download(_ url: String, within time: Duration) -> Result<[UInt8], DownloadFailure> {
        func failure(_ reason: String) -> Result<[UInt8], DownloadFailure> {
            .failure(DownloadFailure(description: "\(url): \(reason)"))
        }
        var ends: [Int32] = [-1, -1]
        // Unlike the ends of a pipe, these sockets are never inherited by a child that another thread starts.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return failure(String(errno: errno)) }
        let output = OpenFile(owning: ends[0], "curl")
        let milliseconds = max(1, Int(time / .milliseconds(1)))
        let seconds = milliseconds.decimal(places: 3)
        let command = [
            "curl", "--disable", "--silent", "--show-error", "--fail", "--globoff", "--proto", "=http,https",
            "--max-time", seconds, "--max-filesize", "\(CarriedAudio.longest)", "--url", url,
        ]
        let child = Result { () throws(SystemError) in try spawn(command, output: ends[1]) }
        // Only the child may have this end open, or reading would never end.
        close(ends[1])
        let process: pid_t
        switch child {
        case .success(let number): process = number
        case .failure(let error) where error.code == ENOENT: return failure("the program curl is not installed")
        case .failure(let error): return failure(String(errno: error.code))
        }
        let excess = "it has more than \(CarriedAudio.longest) bytes"
        let bytes = (try? output.readAll(limit: CarriedAudio.longest)) ?? []
        // A server that does not announce the size may send more.
        let isTooLong = bytes.count > CarriedAudio.longest
        if isTooLong { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard !isTooLong else { return failure(excess) }
        switch status {
        case 0: return .success(bytes)
        // The messages follow from curl's exit codes, because --show-error would need another pipe.
        case 28 << 8: return failure("it did not arrive within \(seconds) s")
        case 22 << 8: return failure("the server does not have it")
        case 63 << 8: return failure(excess)
        case 6 << 8, 7 << 8: return failure("the server cannot be reached")
        default: return failure("curl exited with \(status & 0x7f == 0 ? status >> 8 : 128 + status & 0x7f)")
        }
    }

    private struct SystemError: Error {
        let code: Int32
    }

    private static func spawn(_ command: [String], output: Int32) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This thread blocks all signals, and this program ignores SIGPIPE.
        var none = sigset_t()
        sigemptyset(&none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw SystemError(code: code) }
        return process
    }
}
