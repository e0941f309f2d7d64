import Foundation
import Testing

/// Resources of a daemon after many reloads, which must not grow.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReloadTests {
    /// The two `changes` between which the reloads alternate.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let changes: [String]

        init(_ name: String, _ changes: [String]) { (testDescription, self.changes) = (name, changes) }
    }

    static let kinds = [
        Kind("levels only", ["[Playback]\nFadeIn=10ms\n", "[Playback]\nFadeIn=20ms\n"]),
        Kind("repeat", ["[Playback]\nRepeat=playlist\n", "[Playback]\nRepeat=track\n"]),
        Kind("library", ["", "[Playback]\nLibrary=elsewhere\n"]),
        Kind("no library", ["", "[Playback]\nLibrary=nowhere\n"]),
        Kind("device", ["", "[Playback]\nDevice=nowhere\n"]),
        Kind("state folder", ["", "[State]\nDirectory=elsewhere\n"]),
        Kind("rejected", ["", "[Playback]\nFadeOut=soon\n"]),
        Kind(
            "microphone and lost lines",
            ["none", "track"].map {
                """
                [Playback]
                Repeat=\($0)
                [Signal camera]
                Line=NO_SUCH_LINE
                Effect=mute-microphone
                [Button play]
                Line=NO_SUCH_BUTTON
                Command=play

                """
            }),
    ]

    @Test(arguments: kinds) func reloadsLeakNothing(_ kind: Kind) throws {
        let folder = try Service.makeFolder(tracks: 1)
        let elsewhere = folder.appendingPathComponent("elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: folder.appendingPathComponent("music/0.wav"), to: elsewhere.appendingPathComponent("1.wav"))
        let service = try Service(kind.changes[0], in: folder)
        try service.manager.wait { $0.contains("READY=1") }
        for number in 1...30 { try reload(service, kind.changes[number % 2]) }
        // Libraries and the allocator also retain memory in occasional steps. A leak would be visible in every hundred
        // reloads.
        var growth: [Int] = []
        repeat {
            let before = try ProcessUse(service.pid)
            for number in 1...100 { try reload(service, kind.changes[number % 2]) }
            // Threads of the last reloads may still be ending. A leak of one per reload would add 100.
            try service.wait("release of the old resources: \(before)") {
                guard let after = try? ProcessUse(service.pid) else { return false }
                return after.threads <= before.threads + 5 && after.descriptors <= before.descriptors + 10
            }
            growth.append(try ProcessUse(service.pid).memory - before.memory)
        } while growth.last ?? 0 > 1000 && growth.count < 5
        #expect(growth.last ?? .max <= 1000, "KiB in each hundred: \(growth)")
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
    }

    /// Otherwise, the old disk could not be unmounted.
    @Test func reloadWithAnotherLibraryClosesTheOldFiles() throws {
        let service = try Service()
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") }
        let elsewhere = service.folder.appendingPathComponent("elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: service.folder.appendingPathComponent("music/0.wav"), to: elsewhere.appendingPathComponent("1.wav"))
        try service.wait("open file") { service.hasOpen("/music/") }
        try Service.configure("[Playback]\nLibrary=elsewhere\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("STATUS=Playing ‘1.wav’") }
        try service.wait("other file") { service.hasOpen("/elsewhere/") && !service.hasOpen("/music/") }
    }

    private func reload(_ service: Service, _ configuration: String) throws {
        try Service.configure(configuration, in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.hasPrefix("RELOADING=1") }
        try service.manager.wait { $0.contains("READY=1") }
    }
}

extension Service {
    fileprivate func hasOpen(_ words: String) -> Bool {
        (try? ProcessUse(pid))?.files.contains { $0.contains(words) } ?? false
    }
}
