import BusLab
import Foundation
import Glibc
import SoundLab
import Testing

@testable import Systemd

/// Audio from other programs, which a real daemon reads through a pipe.
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
}
