import BusLab
import Foundation
import Glibc
import SoundLab
import Testing

@testable import Systemd

/// Audio from other programs, which a real daemon reads through a pipe or from a capture device.
@Suite(.serialized) struct PipeInputTests {
    private let session = "org.tacet.Session1"

    private func scene(_ bus: MessageBus) -> String { (try? bus.property(session, "Scene")) ?? "" }

    @Test func inputTakesThePlaceOfTheLibraryWhileAProgramWrites() throws {
        let bus = try MessageBus()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("airplay").path
        let service = try Service(
            "[Input airplay]\nFrom=pipe:\(pipe)\nFormat=s16le:48000:2\nIdle=1s\n", bus: "system",
            environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("pipe") { access(pipe, W_OK) == 0 }
        try service.wait("library") { scene(bus).contains("library") }
        // Silence also counts as audio, because only a device has a threshold.
        let writer = try Subprocess(
            ["sh", "-c", "exec cat /dev/zero >\(pipe)"], environment: bus.environment)
        try service.wait("input") { scene(bus).contains("airplay") }
        writer.signal(SIGKILL)
        _ = writer.wait()
        try service.wait("library again") { !scene(bus).contains("airplay") }
    }

    /// Runs the body with a folder that is removed at the end.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    /// Writes a second of frames whose samples are all 8192.
    private func writeConstant(_ folder: URL) throws -> String {
        let path = folder.appendingPathComponent("constant.raw")
        try Data((0..<96_000).flatMap { _ -> [UInt8] in [0x00, 0x20] }).write(to: path)
        return path.path
    }

    @Test func captureDeviceIsAnInputWhileItIsLoud() throws {
        try withFolder { folder in
            let bus = try MessageBus()
            let constant = try writeConstant(folder)
            try """
            pcm.desk { type file slave.pcm "null" file "/dev/null" infile "\(constant)" format "raw" }
            """.write(to: folder.appendingPathComponent(".asoundrc"), atomically: true, encoding: .utf8)
            let service = try Service(
                "[Input desk]\nFrom=alsa:desk\nIdle=1s\n[Input quiet]\nFrom=alsa:null\n", bus: "system",
                environment: bus.environment.merging(["HOME": folder.path]) { $1 })
            try service.manager.wait { $0.contains("READY=1") }
            try service.wait("input") { scene(bus).contains("desk") }
        }
    }

    @Test func missingCaptureDeviceIsReportedAndTheLibraryPlays() throws {
        let bus = try MessageBus()
        let service = try Service(
            "[Input desk]\nFrom=alsa:nowhere\n", bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("report") { service.output.contains("The input desk cannot be read") }
        try service.wait("library") { scene(bus).contains("library") }
    }

    @Test func pageIsPlayedAsTheCueOfItsSignal() throws {
        try withFolder { folder in
            let bus = try MessageBus()
            let constant = try writeConstant(folder)
            let (pipe, heard) = (folder.path + "/desk", folder.path + "/heard.raw")
            let service = try Service(
                """
                [Playback]
                Device=file:'\(heard)',raw
                [Input desk]
                From=pipe:\(pipe)
                Format=s16le:48000:2
                Role=page
                [Signal call]
                Source=input
                Input=desk
                Cue=input
                Effect=duck
                DuckLevel=mute
                """, bus: "system", environment: bus.environment)
            try service.manager.wait { $0.contains("READY=1") }
            try service.wait("pipe") { access(pipe, W_OK) == 0 }
            let writer = try Subprocess(
                ["sh", "-c", "while :; do cat \(constant); done >\(pipe)"], environment: bus.environment)
            defer { writer.end() }
            // The music is mute, so the samples of the page remain unchanged.
            try service.wait("page") { longestRun(heard) > 10_000 }
        }
    }

    /// The number of successive samples of 32 bits with the level of the page.
    private func longestRun(_ path: String) -> Int {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return 0 }
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        var (longest, run) = (0, 0)
        for sample in samples {
            run = abs(Int(sample) - 0x2000_0000) < 1 << 20 ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
