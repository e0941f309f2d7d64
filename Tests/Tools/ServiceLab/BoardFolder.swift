import Foundation
import Glibc

/// The temporary folder of a test that runs the daemon beside another program, and the file in it to which both write.
public final class BoardFolder {
    public let url: URL
    /// A descriptor for what the programs print.
    public let log: Int32

    /// - Parameters:
    ///   - prefix: the beginning of the name of the folder.
    ///   - folders: the names of the folders in it.
    public init(_ prefix: String, folders: [String]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("\(prefix)-\(UUID().uuidString)")
        for name in folders {
            try FileManager.default.createDirectory(
                at: url.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        log = open(url.appendingPathComponent("log").path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    }

    deinit {
        close(log)
        try? FileManager.default.removeItem(at: url)
    }

    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// What the programs have printed.
    public var output: String { (try? String(contentsOfFile: path("log"), encoding: .utf8)) ?? "" }
}
