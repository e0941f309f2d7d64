import Files
import Glibc

/// The kernel's statistics about a process and its threads.
struct ProcessFigures {
    let pid: pid_t

    /// Returns the processor time, in nanoseconds, of all threads that the process ever had.
    func processorTime() throws -> Int {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw RigError("process \(pid) has exited")
        }
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Returns the memory (PSS) in bytes. Pages that several processes share are counted proportionally.
    func memory() throws -> Int {
        1024 * (try Self.field("Pss", of: "/proc/\(pid)/smaps_rollup") ?? 0)
    }

    /// Returns the number of times that each thread has waited for something, by thread.
    func waits() throws -> [pid_t: Int] {
        guard let names = try? Folder.names(in: "/proc/\(pid)/task") else {
            throw RigError("process \(pid) has exited")
        }
        var waits: [pid_t: Int] = [:]
        for name in names {
            guard let thread = pid_t(name) else { continue }
            // A thread that is just ending is omitted.
            waits[thread] = try? Self.field("voluntary_ctxt_switches", of: "/proc/\(pid)/task/\(name)/status")
        }
        return waits
    }

    private static func field(_ name: String, of path: String) throws -> Int? {
        let line = try TextFile.read(path).split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
    }
}
