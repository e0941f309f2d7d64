import Files
import Glibc

extension Board {
    /// Lists every chip. The call does not affect other users of the chips, and it takes a few microseconds for each
    /// line.
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

    /// Returns the first of the names in `compatible`, each of which ends with a zero.
    private static func model(in tree: String) -> String? {
        // According to the Devicetree Specification, a name has at most 64 bytes.
        guard let name = try? OpenFile.open("\(tree)/compatible", O_RDONLY).read(64) else { return nil }
        return name.firstIndex(of: 0).map { String(decoding: name[..<$0], as: UTF8.self) }
    }

    /// Returns the devices. Links are omitted, because their targets are listed under their own names.
    private static func devices(in folder: String) throws(GPIOError) -> [String] {
        let names: [String]
        do throws(FileError) { names = try Folder.names(in: folder) } catch {
            throw .system(error.code, "list", folder)
        }
        let numbers = names.compactMap { name in
            name.hasPrefix("gpiochip") && !isLink("\(folder)/\(name)") ? Int(name.dropFirst("gpiochip".count)) : nil
        }
        return numbers.sorted().map { "\(folder)/gpiochip\($0)" }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
