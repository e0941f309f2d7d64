import Configuration
import Foundation
import Testing

@testable import Appliance

@Suite struct StartingConfigurationTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/tacet-start-\(UUID().uuidString)"
    private var source: ConfigurationSource { .file(folder + "/my.conf") }
    private var state: String { folder + "/state" }
    private var service: String { folder + "/service" }

    init() throws {
        for name in [state, service] {
            try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
        }
    }

    private func write(_ text: String) throws {
        try text.write(toFile: folder + "/my.conf", atomically: true, encoding: .utf8)
    }

    private func start(isStrict: Bool = false) throws(ConfigurationError) -> StartingConfiguration {
        try StartingConfiguration(source, isStrict: isStrict, serviceDirectory: service)
    }

    /// Keeps a configuration that works now and has worked since 14 November 2023.
    private func keep(in directory: String) throws {
        try write("[State]\nDirectory=state\n[Playback]\nFadeOut=70ms\n")
        let loaded = try start().loaded
        try KeptConfiguration(loaded, from: source, at: .seconds(1_700_000_000)).write(to: directory)
    }

    @Test func validConfigurationIsUsedInsteadOfAKeptOne() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try keep(in: state)
        try write("[Playback]\nFadeOut=80ms\n")
        let start = try start()
        #expect(start.fallbackConfiguration == nil && start.loaded.configuration.playback.fadeOut == .milliseconds(80))
    }

    @Test func mistakesFallBackToTheLastConfigurationThatWorked() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try keep(in: state)
        try write("[State]\nDirectory=state\n[Playback]\nFadeOut=soon\nFadeIn=later\n")
        let start = try start()
        #expect(start.loaded.configuration.playback.fadeOut == .milliseconds(70))
        #expect(start.loaded.configuration.state.directory == state)
        let fallbackConfiguration = try #require(start.fallbackConfiguration)
        #expect(fallbackConfiguration.words.hasPrefix("degraded: the configuration of 2023-11-1"))
        #expect(
            fallbackConfiguration.words.hasSuffix(
                " is used because of \(folder)/my.conf:4: FadeOut=soon is not a time (and 1 more)"))
        #expect(fallbackConfiguration.entry?.message.contains("my.conf:5: error: FadeIn=later") == true)
    }

    /// The setting of the state folder may contain the mistake, or its file may be missing.
    @Test(arguments: ["[State]\nDirectry=state\n", nil]) func fallsBackToTheServicesFolderIfTheStateFolderIsUnknown(
        text: String?
    ) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try keep(in: service)
        if let text { try write(text) } else { try FileManager.default.removeItem(atPath: folder + "/my.conf") }
        #expect(try start().loaded.configuration.playback.fadeOut == .milliseconds(70))
    }

    @Test func mistakesFailWithStrict() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try keep(in: state)
        try write("[State]\nDirectory=state\n[Playback]\nFadeOut=soon\n")
        #expect(throws: ConfigurationError.self) { try start(isStrict: true) }
    }

    @Test func mistakesFailIfNoConfigurationIsKept() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("[State]\nDirectory=state\n[Playback]\nFadeOut=soon\n")
        #expect { try start() } throws: { ($0 as? ConfigurationError)?.diagnostics.map(\.line) == [4] }
    }

    @Test func damagedKeptConfigurationIsReportedAndNotUsed() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try keep(in: state)
        let kept = KeptConfiguration.path(in: state, of: source)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: kept))
        bytes[bytes.count - 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: kept))
        try write("[State]\nDirectory=state\n[Playback]\nFadeOut=soon\n")
        #expect { try start() } throws: { "\($0)".contains("\(kept) is damaged") }
    }

    /// A file that is tested by hand must neither load the service's configuration nor replace it.
    @Test func keptConfigurationOfOtherFilesIsNotUsed() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try keep(in: state)
        let other = folder + "/other.conf"
        try "[State]\nDirectory=state\n[Playback]\nFadeOut=soon\n".write(
            toFile: other, atomically: true, encoding: .utf8)
        #expect {
            try StartingConfiguration(.file(other), isStrict: false, serviceDirectory: nil)
        } throws: {
            ($0 as? ConfigurationError)?.diagnostics.map(\.file) == [other]
        }
        try "[Playback]\nFadeOut=90ms\n".write(toFile: other, atomically: true, encoding: .utf8)
        let tried = try StartingConfiguration(.file(other), isStrict: true, serviceDirectory: nil).loaded
        try KeptConfiguration(tried, from: .file(other), at: .zero).write(to: state)
        try write("[State]\nDirectory=state\n[Playback]\nFadeOut=soon\n")
        #expect(try start().loaded.configuration.playback.fadeOut == .milliseconds(70))
    }
}
