import Foundation
import ServiceLab
import Testing

/// The daemon's command line as systemd or a person writes it.
@Suite struct ArgumentTests {
    private func run(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tacetd"))
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let words = [output, errors].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, words[0], words[1])
    }

    @Test func versionIsPrinted() throws {
        let result = try run("--version")
        #expect(result.code == 0 && result.errors.isEmpty)
        #expect(result.output.wholeMatch(of: /tacetd [0-9]+\.[0-9]+\.[0-9]+\n/) != nil, "\(result.output)")
    }

    @Test func configWithoutAFileIsAUsageError() throws {
        for arguments in [["--config"], ["--config="], ["--config", "--bus=none"]] {
            let result = try arguments.count > 1 ? run(arguments[0], arguments[1]) : run(arguments[0])
            #expect(result.code == 64 && result.output.isEmpty)
            #expect(result.errors.hasPrefix("tacetd: --config needs a value: --config FILE\n"), "\(result.errors)")
        }
    }

    @Test func outputsAreReleasedWithoutStartingTheDaemon() throws {
        let folder = try Service.makeFolder(tracks: nil)
        try Service.configure("", in: folder)
        let file = folder.appendingPathComponent("tacet.conf").path
        #expect(try run("--release-outputs", "--config", file) == (0, "", ""))
        try Service.configure("[Output siren]\nMeans=playing\nLine=NO_SUCH_LINE\n", in: folder)
        let missing = try run("--release-outputs", "--config", file)
        #expect(missing.code == 1 && missing.errors.contains("tacetd: output siren: "), "\(missing.errors)")
    }

    @Test func controlCharactersInAnArgumentAreEscaped() throws {
        let result = try run("\u{1B}[31mred")
        #expect(result.errors == "tacetd: ‘\\x1b[31mred’ is not an option\nTry ‘tacetd --help’.\n")
    }
}
