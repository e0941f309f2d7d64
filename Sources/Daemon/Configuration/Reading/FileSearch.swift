import Files
import Glibc

/// Finds the files that make up a configuration.
struct FileSearch {
    /// The files in the order in which they must be read.
    private(set) var files: [String] = []
    private(set) var problems: [Diagnostic] = []

    /// - Parameter name: The file's name in the folders `tacet` of a source.
    init(_ source: ConfigurationSource, name: String = "tacet.conf") {
        switch source {
        case .file(let path):
            files = [path]
            addDropIns(of: ["\(path).d"])
        case .folders(let roots):
            let candidates = roots.map { "\($0)/tacet/\(name)" }
            if let main = candidates.first(where: exists) { files = [main] }
            addDropIns(of: candidates.map { "\($0).d" })
            if files.isEmpty, problems.allSatisfy({ $0.severity == .warning }) {
                problems.append(FileSearch.nothingFound(candidates))
            }
        }
    }

    /// Adds the drop-ins in these folders. A drop-in masks those of the same name in later folders. An empty drop-in or
    /// a link to /dev/null is read like the others. It does not set anything, so it only masks.
    private mutating func addDropIns(of folders: [String]) {
        var paths: [String: String] = [:]
        for folder in folders {
            do {
                for name in try FileSearch.names(in: folder).sorted() {
                    let path = "\(folder)/\(name)"
                    if !FileSearch.isDropIn(name) {
                        if FileSearch.looksLikeDropIn(name) { problems.append(FileSearch.notRead(path)) }
                    } else if name.unicodeScalars.contains("\u{fffd}"), !exists(path) {
                        problems.append(FileSearch.notUTF8(path))
                    } else {
                        paths[name] = paths[name] ?? path
                    }
                }
            } catch {
                problems.append(error)
            }
        }
        files += paths.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
    }

    /// Returns the names in a folder, or none if the folder does not exist.
    private static func names(in folder: String) throws(Diagnostic) -> [String] {
        do throws(FileError) { return try Folder.names(in: folder) } catch {
            guard error.code == ENOENT else { throw .system("cannot list this folder", folder, code: error.code) }
            return []
        }
    }

    /// Returns true if a file is a drop-in. Hidden files are not drop-ins, as in systemd.
    private static func isDropIn(_ name: String) -> Bool { name.hasSuffix(".conf") && !name.hasPrefix(".") }

    /// Returns true if a user may expect the file to be read. This does not apply to backups and leftovers of editors
    /// and package managers.
    private static func looksLikeDropIn(_ name: String) -> Bool {
        let aside = ["~", ".bak", ".orig", ".old", ".save", ".swp", ".tmp", ".disabled", ".off", ".md"]
        return !name.hasPrefix(".") && !name.hasPrefix("README") && !aside.contains(where: name.hasSuffix)
            && ![".dpkg-", ".ucf-", ".rpm"].contains { name.contains($0) }
    }

    private static func notRead(_ path: String) -> Diagnostic {
        Diagnostic(
            .warning, file: path, "this file is ignored because a drop-in's name must end in .conf",
            advice: "rename it to \(path).conf, or move it elsewhere")
    }

    /// - Parameter path: The path, in which a replacement character stands for each invalid sequence.
    private static func notUTF8(_ path: String) -> Diagnostic {
        Diagnostic(
            .error, file: path, "this file's name is not UTF-8",
            advice: "rename it, for example so that it has only ASCII letters")
    }

    /// Returns true if a file exists. A dangling link is treated as an existing file, and so is a file that cannot be
    /// examined, because opening it reports the error.
    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    private static func nothingFound(_ candidates: [String]) -> Diagnostic {
        Diagnostic(
            .error, file: candidates.last ?? "tacet.conf",
            "no configuration found: there is neither "
                + candidates.joined(separator: " nor ") + ", nor a *.conf file in a folder of that name and .d",
            advice: "install the vendor's file there, or specify a file")
    }
}
