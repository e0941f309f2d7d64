import Foundation
import Saboteur
import SoundLab
import Testing

@testable import Playback

/// Disks that are slow, that go and come back, and files that do.
@Suite(.serialized) struct StorageTests {
    private func lab(_ tracks: [(frames: Int, rate: Int)] = [(960_000, 48_000)]) throws -> EngineLab {
        try EngineLab(tracks: tracks) { $0.readAhead = .seconds(1) }
    }

    /// What a mount point looks like when its disk is gone: a folder with nothing in it.
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

    /// One fade-out, one fade-in, and not a frame left out.
    private func expectOneGap(_ samples: [Int32]) {
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        let gap = samples[runs[0].end..<runs[1].start]
        // What is heard in between: 20 ms down, silence, 20 ms up.
        let faded = gap.filter { $0 != 0 }.count
        #expect(runs[1].number - runs[0].next <= 2 * 960 && abs(runs[1].number - runs[0].next - faded) < 100)
    }

    @Test func aSlowDiskIsSilenceAndThenItGoesOn() throws {
        try inPeace {
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
    }

    @Test func aDiskThatGoesIsToldAndGoesOnWhereItBrokeOff() throws {
        try inPeace {
            let lab = try lab()
            let recording = try lab.record()
            try lab.play()
            try recording.waitForSound()
            let away = try unmount(lab.folder.path)
            saboteur_plan_reads(away, EIO, 0)
            defer { saboteur_plan_reads(nil, 0, 0) }
            _ = try lab.wait("lost storage") { if case .storageLost(let path) = $0 { path } else { nil } }
            try lab.wait(for: .storageStarved)
            saboteur_plan_reads(nil, 0, 0)
            try mount(away, at: lab.folder.path)
            try lab.wait(for: .storageBack)
            try lab.wait(for: .storageRecovered)
            try recording.waitForMore(9600)
            expectOneGap(recording.finish())
            #expect(!lab.events.contains { if case .trackSkipped = $0 { true } else { false } })
            #expect(!lab.events.contains(.programmeEnded))
        }
    }

    @Test func aDiskThatIsNotThereYetIsWaitedFor() throws {
        try inPeace {
            let lab = try lab()
            let away = try unmount(lab.folder.path)
            lab.engine.load(track: 0, at: .seconds(2))
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.wait("lost storage") { if case .storageLost(let path) = $0 { path } else { nil } }
            #expect(lab.engine.playhead?.position == .seconds(2))
            try mount(away, at: lab.folder.path)
            try lab.wait(for: .loaded(track: 0))
            _ = try lab.waitForEffect()
        }
    }

    @Test func aFileThatFailsIsPassedOver() throws {
        try inPeace {
            let lab = try lab([(48_000, 48_000), (48_000, 48_000), (48_000, 48_000)])
            try FileManager.default.removeItem(atPath: lab.folder.path + "/1.wav")
            try lab.play()
            try lab.wait(for: .trackAdvanced(to: 2))
            #expect(lab.events.contains { if case .trackSkipped(1, _) = $0 { true } else { false } })
            try lab.wait(for: .programmeEnded)
        }
    }

    /// An album that somebody has deleted is no reason to wait.
    @Test func aFolderThatIsDeletedIsNoStorageThatIsGone() throws {
        try inPeace {
            let folder = try TemporaryFolder()
            try folder.makeFolder("album")
            try folder.write("x", to: "other")
            #expect(StorageProbe.isGone(folder.path("album/1.wav")))
            try FileManager.default.removeItem(atPath: folder.path("album"))
            #expect(!StorageProbe.isGone(folder.path("album/1.wav")))
            #expect(!StorageProbe.isGone(folder.path("other")))
        }
    }
}
