import Foundation
import Saboteur
import SoundLab
import Testing

@testable import Playback

/// Disks that are slow or lost and return, and files that cannot be read.
@Suite(.serialized) struct StorageTests {
    private func lab(_ tracks: [(frames: Int, rate: Int)] = [(960_000, 48_000)]) throws -> EngineLab {
        try EngineLab(tracks: tracks) { $0.readAhead = .seconds(1) }
    }

    /// Replaces a folder with an empty one, as if it were a mount point without its disk.
    private func unmount(_ folder: String) throws -> String {
        let away = folder + "-away"
        try FileManager.default.moveItem(atPath: folder, toPath: away)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        return away
    }

    private func mount(_ away: String, at folder: String) throws {
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: away, toPath: folder)
    }

    /// Expects one fade-out and one fade-in, without a lost frame.
    private func expectOneGap(_ samples: [Int32]) {
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        let gap = samples[runs[0].end..<runs[1].start]
        // The gap consists of a fade-out of 20 ms, silence, and a fade-in of 20 ms.
        let faded = gap.filter { $0 != 0 }.count
        #expect(runs[1].number - runs[0].next <= 2 * 960 && abs(runs[1].number - runs[0].next - faded) < 100)
    }

    @Test func slowDiskCausesOneGapWithoutLosingFrames() throws {
        let lab = try lab()
        let recording = try lab.record()
        try lab.play()
        try recording.waitForSound()
        saboteur_plan_reads(lab.folder.path, 0, 1500)
        defer { saboteur_plan_reads(nil, 0, 0) }
        try lab.wait(for: .storageStarved)
        saboteur_plan_reads(nil, 0, 0)
        try lab.wait(for: .storageRecovered)
        try recording.waitForMore(9600)
        expectOneGap(recording.finish())
    }

    @Test func lostDiskIsReportedAndPlaybackContinuesWhereItBrokeOff() throws {
        let lab = try lab()
        let recording = try lab.record()
        try lab.play()
        try recording.waitForSound()
        let away = try unmount(lab.folder.path)
        saboteur_plan_reads(away, EIO, 0)
        defer { saboteur_plan_reads(nil, 0, 0) }
        _ = try lab.wait("lost storage") { if case .storageLost(let loss) = $0 { loss } else { nil } }
        try lab.wait(for: .storageStarved)
        saboteur_plan_reads(nil, 0, 0)
        try mount(away, at: lab.folder.path)
        try lab.wait(for: .storageReturned)
        try lab.wait(for: .storageRecovered)
        try recording.waitForMore(9600)
        expectOneGap(recording.finish())
        #expect(!lab.events.contains { if case .trackSkipped = $0 { true } else { false } })
        #expect(!lab.events.contains(.playbackEnded))
    }

    @Test func loadWaitsForAMissingDisk() throws {
        let lab = try lab()
        let away = try unmount(lab.folder.path)
        lab.engine.load(track: 0, at: .seconds(2))
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.wait("lost storage") { if case .storageLost(let loss) = $0 { loss } else { nil } }
        #expect(lab.engine.playhead?.position == .seconds(2))
        try mount(away, at: lab.folder.path)
        try lab.wait(for: .loaded(track: 0))
        _ = try lab.waitForEffect()
    }

    @Test func missingFileIsSkipped() throws {
        let lab = try lab([(48_000, 48_000), (48_000, 48_000), (48_000, 48_000)])
        try FileManager.default.removeItem(atPath: lab.folder.path + "/1.wav")
        try lab.play()
        try lab.wait(for: .trackAdvanced(to: 2))
        #expect(lab.events.contains { if case .trackSkipped(1, _) = $0 { true } else { false } })
        try lab.wait(for: .playbackEnded)
    }

    /// The files are a named pipe, a socket, devices, a file without audio, a folder, one with a read error, and a
    /// missing one.
    @Test func unreadableFilesAreSkippedUntilAGoodOne() throws {
        let lab = try lab(
            [(48_000, 48_000)] + [(Int, Int)](repeating: (480, 48_000), count: 8) + [(480_000, 48_000)])
        func path(_ number: Int) -> String { "\(lab.folder.path)/\(number).wav" }
        for number in 1...8 { try FileManager.default.removeItem(atPath: path(number)) }
        #expect(mkfifo(path(1), 0o600) == 0)
        try listen(at: path(2))
        try FileManager.default.createSymbolicLink(atPath: path(3), withDestinationPath: "/dev/tty")
        try FileManager.default.createSymbolicLink(atPath: path(4), withDestinationPath: "/dev/zero")
        try Data("no audio".utf8).write(to: URL(fileURLWithPath: path(5)))
        try FileManager.default.createDirectory(atPath: path(6), withIntermediateDirectories: false)
        // The first sector cannot be read.
        try FileManager.default.copyItem(atPath: path(0), toPath: path(7))
        saboteur_plan_reads(path(7), EIO, 0)
        defer { saboteur_plan_reads(nil, 0, 0) }
        try lab.play()
        try lab.wait(for: .trackAdvanced(to: 9))
        let skipped = lab.events.compactMap { if case .trackSkipped(let track, _) = $0 { track } else { nil } }
        #expect(skipped == Array(1...8))
        #expect(!lab.events.contains { if case .storageLost = $0 { true } else { false } })
    }

    /// Creates a socket.
    private func listen(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un(sun_family: sa_family_t(AF_UNIX), sun_path: sockaddr_un().sun_path)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    /// The file itself is intact, so it must be opened as soon as that is possible.
    @Test func loadWaitsWhileTooManyFilesAreOpen() throws {
        let lab = try lab([(48_000, 48_000), (48_000, 48_000)])
        try lab.play()
        saboteur_plan_opens(lab.folder.path, EMFILE)
        defer { saboteur_plan_opens(nil, 0) }
        lab.engine.load(track: 1, at: .zero)
        let loss = try lab.wait("lost storage") { if case .storageLost(let loss) = $0 { loss } else { nil } }
        #expect(loss.reason == .tooManyOpenFiles)
        #expect(loss.description.contains("Too many open files. Raise LimitNOFILE="))
        saboteur_plan_opens(nil, 0)
        try lab.wait(for: .loaded(track: 1))
        #expect(lab.events.contains(.storageReturned))
        #expect(!lab.events.contains { if case .trackSkipped = $0 { true } else { false } })
    }

    @Test func previousTrackPlaysUntilTheSelectedOneCanBeRead() throws {
        let lab = try lab([(960_000, 48_000), (960_000, 48_000)])
        try lab.play()
        try lab.pass("progress") { _ in lab.engine.isAdvancing }
        saboteur_plan_opens(lab.folder.path, EMFILE)
        defer { saboteur_plan_opens(nil, 0) }
        lab.engine.load(track: 1, at: .zero)
        _ = try lab.wait("lost storage") { if case .storageLost(let loss) = $0 { loss } else { nil } }
        #expect(lab.engine.playhead?.track == 1)
        let frame = try #require(lab.engine.heard).frame
        try lab.pass("frames of the previous track") { _ in
            lab.engine.heard?.track == 0 && (lab.engine.heard?.frame ?? 0) > frame + 4800
        }
        #expect(lab.engine.isAdvancing)
        saboteur_plan_opens(nil, 0)
        try lab.wait(for: .loaded(track: 1))
        #expect(lab.engine.heard?.track == 1)
    }

    @Test func isAdvancingIsFalseWithoutFramesFromStorageAndAfterAFadeOut() throws {
        let lab = try lab()
        #expect(!lab.engine.isAdvancing)
        try lab.play()
        try lab.pass("progress") { _ in lab.engine.isAdvancing }
        // The storage delivers no more frames.
        saboteur_plan_reads(lab.folder.path, 0, 1500)
        defer { saboteur_plan_reads(nil, 0, 0) }
        try lab.wait(for: .storageStarved)
        try lab.pass("stop") { _ in !lab.engine.isAdvancing }
        saboteur_plan_reads(nil, 0, 0)
        try lab.wait(for: .storageRecovered)
        try lab.pass("progress") { _ in lab.engine.isAdvancing }
        lab.engine.silence(over: .zero)
        try lab.wait(for: .faded)
        try lab.pass("stop") { _ in !lab.engine.isAdvancing }
    }
}
