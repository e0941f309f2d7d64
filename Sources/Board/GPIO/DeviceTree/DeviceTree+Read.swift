import Files
import Glibc

extension DeviceTree {
    /// Reads the tree of the running board, which takes some milliseconds.
    ///
    /// - Parameter folder: the folder in which the kernel shows the tree: each node is a folder, and each property is a
    ///   file. Everybody can read it. Links within the folder are not followed.
    /// - Returns: nil if there is no such folder, because the board does not have a device tree.
    public static func read(_ folder: String = "/proc/device-tree", limits: Limits = Limits()) -> DeviceTree? {
        guard let names = try? Folder.names(in: folder) else { return nil }
        var tree = DeviceTree(limits: limits)
        var pending = [(path: folder, node: 0, names: names)]
        while let (path, node, names) = pending.popLast() {
            for name in names.sorted() where !unusedNodes.contains(name) {
                let entry = "\(path)/\(name)"
                switch kind(of: entry) {
                case S_IFDIR:
                    guard let child = tree.addNode(name, under: node), let names = try? Folder.names(in: entry) else {
                        continue
                    }
                    pending.append((entry, child, names))
                case S_IFREG where isRelevant(name):
                    // One byte more than allowed makes `setProperty` report that the property is too long.
                    if let value = try? OpenFile.open(entry, O_RDONLY).read(limits.property + 1) {
                        tree.setProperty(name, value, of: node)
                    }
                default: continue
                }
            }
        }
        return tree
    }

    /// The folder itself and its parent, and the nodes that list all labels, parameters and aliases. These nodes have many
    /// properties, but do not describe devices.
    private static let unusedNodes: Set = [".", "..", "__symbols__", "__overrides__", "__local_fixups__", "aliases"]

    private static func kind(of path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
}
