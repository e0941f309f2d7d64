import Files
import Glibc
import Stream

/// The attempts to receive stations, and the file in which they survive the process. Use it on one thread only.
final class BackoffFile {
    /// The path, or nil if the service manager provides no folder.
    private let path = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) + "/attempts" }
    private var attempts = StreamBackoffs()

    /// Reads the attempts of an earlier process.
    init() {
        // Without the file, the first attempts begin at once.
        guard let path, let file = try? OpenFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let text = try? file.readAll(limit: StreamBackoffs.longestText)
        else { return }
        attempts = StreamBackoffs(text)
    }

    func attempts(of input: String, _ address: String, at now: Duration) -> StreamBackoff {
        attempts.attempts(of: input, address, at: now)
    }

    /// Records the attempts to receive the station of an input.
    func record(_ backoff: StreamBackoff, of input: String, _ address: String, at now: Duration) {
        let former = attempts
        attempts.record(backoff, of: input, address, at: now)
        guard let path, attempts != former else { return }
        // The folder is in memory, so this does not wait for a disk. If it is full, the attempts survive only in memory.
        try? OpenFile.replace(path, with: attempts.text, mode: 0o600)
    }
}
