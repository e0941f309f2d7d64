import Foundation
import ServiceLab
import Testing

/// Runs `tacet` as a person would.
enum Program {
    struct Result {
        let code: Int32
        let output: String
        let errors: String
    }

    static func run(_ arguments: String..., in folder: URL? = nil, input: String = "") throws -> Result {
        try run(arguments, in: folder, input: input)
    }

    /// - Parameters:
    ///   - output: a file for standard output, or nil to return it in the result.
    ///   - temporary: the folder for temporary files.
    ///   - environment: changes to the tests' own environment.
    static func run(
        _ arguments: [String], in folder: URL? = nil, input: String = "", output file: String? = nil,
        temporary: String? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        let process = Process()
        process.executableURL = try URL(fileURLWithPath: BuiltProgram.path("tacet"))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = file.flatMap { FileHandle(forWritingAtPath: $0) } ?? stdout
        let changes = environment.merging(temporary.map { ["TMPDIR": $0] } ?? [:]) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(changes) { $1 }
        process.standardError = stderr
        try process.run()
        stdin.fileHandleForWriting.write(Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = file == nil ? stdout.fileHandleForReading.readDataToEndOfFile() : Data()
        let errors = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            code: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}

/// A temporary folder that is removed when the test ends.
final class Folder {
    let url: URL

    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files {
            try text.write(to: url.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }

    var contents: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }

    deinit { try? FileManager.default.removeItem(at: url) }
}
