import Glibc

extension Board {
    /// Lists every chip. This affects no other user of the chips, and takes a few microseconds for each line.
    ///
    /// - Parameter folder: the folder that contains the devices.
    public static func scan(_ folder: String = "/dev") -> Board {
        var board = Board(chips: [])
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
