import Foundation
import ServiceLab
import SoundLab
import Testing

/// The examples of the package for programs that play into Tacet. tacet-inputs(7) describes them.
enum InputExample {
    /// Returns an example with the paths of a test.
    static func text(_ name: String, in folder: URL) throws -> String {
        let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../deploy/examples/inputs/\(name)").standardized
        return try String(contentsOf: examples, encoding: .utf8)
            .replacingOccurrences(of: "/run/tacet/inputs", with: folder.path + "/inputs")
            .replacingOccurrences(of: "/run/mpd/socket", with: folder.path + "/program/socket")
    }
}

@Suite struct InputExampleTests {
    @Test(arguments: ["bluez-alsa", "chromium", "librespot", "mpd", "shairport-sync", "snapclient"])
    func exampleIsAcceptedByCheck(recipe: String) throws {
        let folder = try Service.makeFolder(tracks: 1)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = try InputExample.text("\(recipe)/tacet.conf", in: folder)
            .replacingOccurrences(of: folder.path + "/inputs", with: "/run/tacet/inputs")
        try Service.configure(text, in: folder)
        let output = Pipe()
        let check = try Subprocess(
            [try BuiltProgram.path("tacet"), "check", folder.appendingPathComponent("tacet.conf").path],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"],
            output: output.fileHandleForWriting.fileDescriptor, errors: output.fileHandleForWriting.fileDescriptor)
        try output.fileHandleForWriting.close()
        let answer = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(check.wait() == 0 && answer.contains(": no mistakes"), "\(answer)")
        #expect(!answer.contains("From=pipe:"), "\(answer)")
    }
}
