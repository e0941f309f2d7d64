import AudioSession
import Effort
import Foundation
import Simulation
import Testing

/// The files of a rehearsal's recording. The value of each frame is its number, so that missing frames are visible.
@Suite struct RecordedFilesTests {
    private func lab(rate: Int, _ recording: String = "", _ rest: String = "") throws -> Lab {
        let lab = try Lab(
            """
            [Session]
            Category=playAndRecord
            Options=overrideMutedMicrophoneInterruption
            [Playback]
            Library=music
            Repeat=playlist
            [Signal phone-call]
            ReleaseDelay=0s
            [Signal cover-closed]
            Effect=mute-microphone
            ReleaseDelay=0s
            [Recording]
            Rate=\(rate)
            \(recording)
            \(rest)
            """)
        try lab.addNumberedTrack("one.wav", seconds: 9)
        return lab
    }

    private func record(_ lab: Lab, _ scenario: String) throws -> (rows: [TraceRow], files: [[Int]]) {
        var rehearsal = try lab.rehearsal(scenario)
        rehearsal.recordings = lab.path("recordings")
        let rows = try rehearsal.run().rows
        let names = try FileManager.default.contentsOfDirectory(atPath: lab.path("recordings")).sorted()
        return (rows, try names.map { try lab.left(lab.path("recordings/\($0)")).map { Int($0 >> 8) } })
    }

    /// Returns the runs of consecutive numbers. Zeros are separate runs.
    private func runs(_ numbers: some Sequence<Int>) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, number == last.upperBound + 1 || number == 0 && last == 0...0 {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs
    }

    @Test(arguments: ["flac", "wav"])
    func filesHaveEveryFrameOutsideInterruptionsAndSilenceWhileMuted(format: String) throws {
        let lab = try lab(rate: 48_000, "Format=\(format)\nSegment=4s")
        let (_, files) = try record(
            lab,
            """
            1s command record
            2.5s assert phone-call
            3.1s deassert phone-call
            4s assert cover-closed
            4.5s deassert cover-closed
            5s capture lost
            6s capture back
            7s asleep 3s
            11s power-cut
            12s boot
            14s command stopRecording
            15s end
            """)
        try #require(files.count == 3)
        #expect(
            runs(files[0]) == [48_000...119_999, 148_800...191_999, 0...0, 216_000...239_999, 288_000...316_799])
        #expect(files[0].count == 4 * 48_000 && files[0].count { $0 == 0 } == 24_000)
        // Frames after the last flush are lost with the power.
        #expect(runs(files[1]) == [316_800...335_999])
        #expect(runs(files[2]) == [576_000...671_999])
    }

    /// A microphone that is muted by a signal interrupts the music here, because the option is missing.
    @Test(arguments: ["flac", "wav"])
    func blackBoxHasEveryFrameAndSilenceOnlyWhileMuted(format: String) throws {
        let lab = try lab(
            rate: 48_000, "Format=\(format)\nAutoRecord=yes\nDuring=interruptions", "[Session]\nOptions=")
        let (rows, files) = try record(
            lab,
            """
            1s assert phone-call
            2s assert cover-closed
            2.5s deassert cover-closed
            3s deassert phone-call
            4s assert cover-closed
            4.25s deassert cover-closed
            5s end
            """)
        #expect(
            rows.notifications == [
                "began(default)", "ended(shouldResume)", "began(builtInMicMuted)", "ended(shouldResume)",
            ])
        try #require(files.count == 1)
        #expect(runs(files[0].dropFirst()) == [1...95_999, 0...0, 120_000...191_999, 0...0, 204_000...239_999])
        #expect(files[0].count == 240_000)
    }

    @Test func folderWithFilesAndAConfigurationWithoutRecorderAreRejected() throws {
        let lab = try lab(rate: 8000)
        _ = try record(lab, "1s command record\n2s end")
        #expect(throws: SimulationError.self) { try record(lab, "1s command record\n2s end") }
        let silent = try Lab()
        try silent.addNumberedTrack("one.wav", seconds: 1)
        #expect(throws: SimulationError.self) { try record(silent, "1s end") }
    }

    /// The same hour with and without a recording. The music must not differ, and the recording must lack only the
    /// interruptions.
    @Test(.enabled(if: Effort.isExhaustive)) func recordingAndMusicDoNotDisturbEachOtherForAnHour() throws {
        let rate = 8000
        let interruptions = (1...11).map { (from: $0 * 300, to: $0 * 300 + 20) }
        let calls = interruptions.map { "\($0.from)s assert phone-call\n\($0.to)s deassert phone-call\n" }.joined()
        let lab = try lab(rate: rate)
        let (rows, files) = try record(lab, "1s command record\n\(calls)3600s end")
        let without = try lab.run("1s command volume 0dB\n\(calls)3600s end")

        #expect(rows.count == without.count)
        for (row, other) in zip(rows, without) {
            let (state, expected) = (row.state, other.state)
            #expect(row.time == other.time && state?.position == expected?.position && state?.track == expected?.track)
            #expect(state?.directive == expected?.directive && state?.notifications == expected?.notifications)
        }
        let starts = [1] + interruptions.map(\.to)
        let ends = interruptions.map(\.from) + [3600]
        var wraps = 0
        var last = 0
        let numbers = files.joined().map { number in
            // The numbers begin again at 2²³.
            if number < last { wraps += 1 << 23 }
            last = number
            return number + wraps
        }
        #expect(runs(numbers) == zip(starts, ends).map { $0 * rate...$1 * rate - 1 })
        #expect(files.count == 4)
    }
}
