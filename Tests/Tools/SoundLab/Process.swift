import Glibc

/// This process as the kernel reports it.
public enum Process {
    /// The number of open sockets, including connections to a sound server.
    public static var openSockets: Int {
        names(in: "/proc/self/fd").filter { link("/proc/self/fd/" + $0).hasPrefix("socket:") }.count
    }

    /// Returns the threads whose names start with `name`.
    public static func threads(named name: String) -> [Int32] {
        names(in: "/proc/self/task").filter { text("/proc/self/task/\($0)/comm").hasPrefix(name) }.compactMap(
            Int32.init)
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func link(_ path: String) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, bytes.count) } ?? 0
        }
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
