import Glibc

extension Board {
    /// Looks at every chip there is. Disturbs nobody, and takes some microseconds a line.
    ///
    /// - Parameter folder: where the devices are.
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

    /// Where a path leads in the end; the path itself, if it leads nowhere.
    public static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Links stand for chips that are there by their own name as well.
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
