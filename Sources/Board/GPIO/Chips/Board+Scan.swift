import Glibc

extension Board {
    /// Lists every chip. This affects no other user of the chips, and takes a few microseconds for each line.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the devices.
    ///   - tree: the folder that contains the device tree, if there is one.
    public static func scan(_ folder: String = "/dev", tree: String = "/proc/device-tree") -> Board {
        var board = Board(chips: [], model: model(in: tree))
        do throws(GPIOError) {
            for path in try devices(in: folder) {
                do throws(GPIOError) {
                    board.chips.append(try Chip(path: path).info())
                } catch {
                    board.problems.append(error)
                }
            }
        } catch {
            board.problems.append(error)
        }
        return board
    }

    /// The first of the names in `compatible`, each of which ends with a zero.
    private static func model(in tree: String) -> String? {
        let file = open("\(tree)/compatible", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // No name is longer than this, according to the Devicetree Specification.
        let name = [UInt8](unsafeUninitializedCapacity: 64) { $1 = max(0, read(file, $0.baseAddress, 64)) }
        return name.firstIndex(of: 0).map { String(decoding: name[..<$0], as: UTF8.self) }
    }

    /// Resolves all links in a path; returns the path itself if its target does not exist.
    public static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Ignores links: their targets are listed under their own names.
    private static func devices(in folder: String) throws(GPIOError) -> [String] {
        guard let directory = opendir(folder) else { throw .system(errno, "list", folder) }
        defer { closedir(directory) }
        var numbers: [Int] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix("gpiochip"), let number = Int(name.dropFirst("gpiochip".count)),
                !isLink("\(folder)/\(name)")
            else { continue }
            numbers.append(number)
        }
        return numbers.sorted().map { "\(folder)/gpiochip\($0)" }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
