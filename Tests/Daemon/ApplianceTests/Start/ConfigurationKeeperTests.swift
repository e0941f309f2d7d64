import Configuration
import Foundation
import Testing

@testable import Appliance

@Suite struct ConfigurationKeeperTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/tacet-keeper-\(UUID().uuidString)"

    private func kept(_ text: String, at time: Duration = .zero) throws -> KeptConfiguration {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return KeptConfiguration(try Configuration.load(.file(file)), from: .file(file), at: time)
    }

    private var file: String { folder + "/my.conf" }

    private func read(from directory: String) throws -> KeptConfiguration? {
        try KeptConfiguration.read(from: directory, of: .file(file))
    }

    @Test func keepsInTheStateFolderAndInTheServicesFolder() {
        #expect(ConfigurationKeeper.directories("/data", "/var/lib/tacet") == ["/data", "/var/lib/tacet"])
        #expect(ConfigurationKeeper.directories("/var/lib/tacet", "/var/lib/tacet") == ["/var/lib/tacet"])
        #expect(ConfigurationKeeper.directories("/data", nil) == ["/data"])
    }

    @Test func keepsTheNewestAndDoesNotRewriteAnUnchangedOne() throws {
        let (a, b) = (folder + "/a", folder + "/b")
        for name in [a, b] { try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = ConfigurationKeeper()
        keeper.keep(try kept("[Playback]\nFadeIn=1ms\n"), in: [a])
        let newest = try kept("[Playback]\nFadeIn=2ms\n")
        keeper.keep(newest, in: [a])
        keeper.waitUntilKept()
        #expect(try read(from: a) == newest)
        // An unchanged configuration is not written again.
        keeper.keep(try kept("[Playback]\nFadeIn=2ms\n", at: .seconds(9)), in: [a, b])
        keeper.waitUntilKept()
        #expect(try read(from: b)?.time == .seconds(9))
        #expect(try read(from: a)?.time == .zero)
    }
}
