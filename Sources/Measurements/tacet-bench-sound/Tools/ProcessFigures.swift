import Glibc

/// What the kernel knows of a process and its threads.
struct ProcessFigures {
    let pid: pid_t

    /// Nanoseconds of processor time, of all threads it ever had.
    func processorTime() throws -> Int {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchError("process \(pid) has gone")
        }
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Bytes of memory; what several processes use is shared out among them.
    func memory() throws -> Int {
        1024 * (try Self.field("Pss", of: "/proc/\(pid)/smaps_rollup") ?? 0)
    }

    /// How often each of its threads has waited for something, by thread.
    func waits() throws -> [pid_t: Int] {
        guard let folder = opendir("/proc/\(pid)/task") else { throw BenchError("process \(pid) has gone") }
        defer { closedir(folder) }
        var waits: [pid_t: Int] = [:]
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let thread = pid_t(name) else { continue }
            // One that ends just now does not count.
            waits[thread] = try? Self.field("voluntary_ctxt_switches", of: "/proc/\(pid)/task/\(name)/status")
        }
        return waits
    }

    private static func field(_ name: String, of path: String) throws -> Int? {
        let line = try TextFile.read(path).split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
    }
}
