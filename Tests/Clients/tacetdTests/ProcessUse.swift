import Foundation

/// A process's use of system resources.
struct ProcessUse: CustomStringConvertible {
    let threads: Int
    let descriptors: Int
    /// The resident memory in KiB.
    let memory: Int
    /// The largest resident memory so far, in KiB.
    let peak: Int
    /// The files that it has open.
    let files: [String]

    init(_ pid: pid_t) throws {
        let folder = "/proc/\(pid)"
        threads = try FileManager.default.contentsOfDirectory(atPath: folder + "/task").count
        let open = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd")
        descriptors = open.count
        files = open.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/" + $0) }
        let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
        func kilobytes(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        memory = kilobytes("VmRSS:")
        peak = kilobytes("VmHWM:")
    }

    var description: String { "\(threads) threads, \(descriptors) descriptors, \(memory) KiB" }
}
