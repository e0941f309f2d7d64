import Files
import Foundation
import Testing

@Suite struct ReplacingTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/tacet-replacing-\(UUID().uuidString)"

    private func contents(_ name: String) throws -> [UInt8] {
        try OpenFile.open("\(folder)/\(name)", O_RDONLY).readAll()
    }

    @Test func replacesTheWholeFileAndLeavesNoTemporaryFile() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try OpenFile.replace("\(folder)/file", with: Array("a long first text".utf8))
        try OpenFile.replace("\(folder)/file", with: Array("short".utf8))
        #expect(try contents("file") == Array("short".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }

    @Test func failureKeepsTheOldFileAndLeavesNoTemporaryFile() throws {
        try FileManager.default.createDirectory(atPath: folder + "/file/in-the-way", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: FileError.self) { try OpenFile.replace("\(folder)/file", with: [1]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
        #expect(throws: FileError.self) { try OpenFile.replace("\(folder)/nowhere/file", with: [1]) }
    }
}
