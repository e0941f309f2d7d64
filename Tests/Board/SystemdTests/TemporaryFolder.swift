import Foundation

/// A new folder that is removed when this object is deallocated.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.path + "/tacet-systemd-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
