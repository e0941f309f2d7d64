import Foundation
import Testing

@testable import Configuration

@Suite("The last configuration that worked")
struct KeptConfigurationTests {
    let folder: TemporaryFolder
    let source: ConfigurationSource

    init() throws {
        folder = try TemporaryFolder()
        let file = try folder.write("etc/my.conf", "[Playback]\nLibrary=../music\n[State]\nDirectory=state\n")
        try folder.write("etc/my.conf.d/50.conf", "[Signal alarm]\nLine=A\nDuckLevel=-20dB")
        source = .file(file)
    }

    private func kept() throws -> KeptConfiguration {
        KeptConfiguration(
            try Configuration.load(source, checksLibrary: false), from: source, at: .seconds(1_700_000_000))
    }

    @Test("It loads unchanged after its files are deleted, including relative paths")
    func roundTrip() throws {
        let loaded = try Configuration.load(source, checksLibrary: false)
        try kept().write(to: folder.path)
        try FileManager.default.removeItem(atPath: "\(folder.path)/etc")
        let read = try #require(try KeptConfiguration.read(from: folder.path, of: source))
        #expect(read.time == .seconds(1_700_000_000))
        let again = try read.load()
        #expect(again.configuration == loaded.configuration && again.files == loaded.files)
        #expect(again.configuration.playback.library == "\(folder.path)/etc/../music")
        #expect(again.configuration.state.directory == "\(folder.path)/etc/state")
    }

    @Test("The system's folders can be the source, and a path can contain any character")
    func sources() throws {
        let text = ConfigurationText(path: "/a b\nc\u{e9}/x.conf", bytes: Array("[Session]\n\n".utf8))
        let loaded = LoadedConfiguration(
            configuration: .builtIn, warnings: [], texts: [text, text], places: KeyPlaces())
        let kept = KeptConfiguration(loaded, from: .system, at: .zero)
        #expect(KeptConfiguration(bytes: kept.bytes) == kept)
        #expect(kept.source == .system)
    }

    @Test("Paths relative to the working directory are kept as absolute paths")
    func relative() throws {
        let loaded = LoadedConfiguration(
            configuration: .builtIn, warnings: [], texts: [ConfigurationText(path: "my.conf", bytes: [])],
            places: KeyPlaces())
        let kept = KeptConfiguration(loaded, from: .file("my.conf"), at: .zero)
        let path = FileManager.default.currentDirectoryPath + "/my.conf"
        #expect(kept.source == .file(path) && kept.texts.map(\.path) == [path])
    }

    @Test("Reading returns nil if nothing is kept")
    func none() throws {
        #expect(try KeptConfiguration.read(from: folder.path, of: source) == nil)
        #expect(try KeptConfiguration.read(from: folder.path + "/nowhere", of: source) == nil)
    }

    @Test("Any truncation and any changed byte is detected as damage")
    func damage() throws {
        let bytes = try kept().bytes
        for count in bytes.indices { #expect(KeptConfiguration(bytes: Array(bytes[..<count])) == nil) }
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x01
            #expect(KeptConfiguration(bytes: damaged) == nil, "byte \(index)")
        }
        let path = KeptConfiguration.path(in: folder.path, of: source)
        try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: path))
        #expect(throws: KeptConfiguration.Unusable.damaged(path: path)) {
            try KeptConfiguration.read(from: folder.path, of: source)
        }
    }

    @Test("Reading does not block on a FIFO in its place")
    func fifo() throws {
        try #require(mkfifo(KeptConfiguration.path(in: folder.path, of: source), 0o600) == 0)
        #expect(throws: KeptConfiguration.Unusable.self) { try KeptConfiguration.read(from: folder.path, of: source) }
    }

    @Test("The state directory is known even if the configuration has mistakes elsewhere")
    func stateDirectory() throws {
        try folder.write("etc/my.conf.d/60.conf", "[Playback]\nFadeIn=soon")
        let attempt = ConfigurationAttempt(source)
        #expect(throws: ConfigurationError.self) { try attempt.get() }
        #expect(attempt.stateDirectory == "\(folder.path)/etc/state")
    }
}
