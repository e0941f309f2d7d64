import Configuration
import Foundation
import Testing

/// A folder for the files of one test, which is deleted when this object is deallocated.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tacet-configuration-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and creates the folders above it.
    /// - Returns: the path of the file.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, Data(text.utf8)) }

    @discardableResult
    func write(_ name: String, _ data: Data) throws -> String {
        let file = "\(path)/\(name)"
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }

    func link(_ name: String, to destination: String) throws {
        try write("\(name).folder-maker", "")
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: destination)
    }
}

/// Loads a configuration from a text.
func load(_ text: String) throws -> LoadedConfiguration {
    let folder = try TemporaryFolder()
    return try Configuration.load(.file(folder.write("tacet.conf", text)))
}

/// Returns the errors and warnings about a text as `LINE: error: WHAT (ADVICE)`.
/// Returns the configuration in a text. Its library need not exist.
func configuration(_ text: String) throws -> Configuration {
    let folder = try TemporaryFolder()
    let file = try folder.write("tacet.conf", text)
    return try Configuration.load(.file(file), checksLibrary: false).configuration
}

func diagnose(_ text: String) throws -> [String] { try diagnose(Data(text.utf8)) }

func diagnose(_ data: Data) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = try folder.write("tacet.conf", data)
    return diagnostics(of: .file(file)).map {
        $0.description.replacingOccurrences(of: "\(file):", with: "").trimmingCharacters(in: .whitespaces)
    }
}

func diagnostics(of source: ConfigurationSource) -> [Diagnostic] {
    do {
        return try Configuration.load(source).warnings
    } catch {
        return error.diagnostics
    }
}
