import Foundation
import Testing
import Timeline

@testable import tacet

/// The picture that `tacet timeline` draws.
@Suite struct HistoryPictureTests {
    /// The picture shows the volume in the same way as the picture of a rehearsal. An entry without a volume changes
    /// nothing.
    @Test func pictureShowsTheVolume() throws {
        var export = Export()
        let plays: [(String, String)] = [("PLAYING", "yes"), ("INTENT", "playing")]
        export.entry(10, "started", "Tacet has started.", plays + [("VOLUME", "-6")])
        export.entry(20, "command", "Mute.", plays + [("COMMAND", "volume mute"), ("VOLUME", "mute")])
        export.entry(30, "interruption-ended", "Over.", plays)
        // This is an entry of an older version.
        export.entry(
            40, "command", "Louder.", plays + [("COMMAND", "volume -20dB"), ("LEVEL", "-20"), ("ANSWER", "success")])
        export.entry(50, "duck-began", "Alarm.", plays + [("SIGNAL", "alarm"), ("LEVEL", "-20")])
        // The volume is saved, so the next run also has it.
        export.process = 401
        export.entry(60, "started", "Tacet has started.", plays + [("LAST_RUN", "stopped")])
        let timeline = try export.chronicle().timeline()
        func gain(at time: Double) -> Int? {
            timeline.gain.last { $0.time == time }.map { Int(($0.gain * 1000).rounded()) }
        }
        let gains = [0.0, 10, 20, 30, 40, 50].map(gain)
        #expect(gains == [501, 0, 0, 100, 10, 100], "\(gains)")
    }

    @Test func inputsHaveARowAndTheLibraryStandsStill() throws {
        var export = Export()
        func plays(_ source: String) -> [(String, String)] {
            [
                ("PLAYING", "yes"), ("INTENT", "playing"), ("SOURCE", source), ("TRACK", "/m/a.flac"),
                ("POSITION_USEC", "10000000"), ("LENGTH_USEC", "60000000"),
            ]
        }
        export.entry(10, "started", "", plays("library"))
        export.entry(20, "source-changed", "", plays("airplay"))
        export.entry(35, "source-changed", "", plays("library"))
        let timeline = try export.chronicle().timeline()
        #expect(timeline.inputs == [.init(from: 10, to: 25, value: "airplay")])
        #expect(timeline.playback.map(\.motion) == [.playing, .held, .playing], "\(timeline.playback)")
        #expect(timeline.marks.map(\.text).contains("sourceChanged(airplay)"))
    }

    @Test func pictureShowsTheSameHistoryAsTheLog() throws {
        let timeline = try Export.morning.chronicle().timeline()
        #expect(timeline.signals.map(\.name) == ["phone-call", "door", "alarm"])
        #expect(timeline.signals.map(\.effect) == ["pauses the music", "pauses the music", "turns down to −14 dB"])
        // The second boot began at 300 s. Its first entry is 18 s later, which is 298 s after the first entry of all.
        let asserted = timeline.signals[0].asserted
        #expect(asserted.map { (span) -> Int in Int(span.from.rounded()) } == [60, 120, 298])
        #expect(asserted.map { (span) -> Int in Int(span.to.rounded()) } == [90, 125, 310])
        #expect(timeline.signals[0].faults.map(\.value) == ["chatter"])
        #expect(
            timeline.session.map(\.value).filter { $0 != .active } == [
                .interrupted("phone-call"), .ducked("alarm"), .interrupted("phone-call"), .interrupted("phone-call"),
            ])
        // The power returned at 280.
        #expect(
            timeline.outages == [
                .init(from: 125, to: 280, value: .unknown), .init(from: 280, to: 298, value: .powerCut),
            ])
        let lost = timeline.servicesLost.map { (span) -> Int in Int(span.upperBound - span.lowerBound) }
        #expect(lost == [5])
        #expect(
            timeline.marks.prefix(4).map(\.text) == [
                "began(default)", "ended(shouldResume)", "duckBegan(-14)", "duckEnded",
            ])
        #expect(timeline.commands.map(\.text) == ["pause → success", "play → success"])
        #expect(timeline.intent.prefix(3).map(\.value) == [.playing, .paused, .playing])
        let quiet = timeline.playback.filter { $0.motion == .held }
        #expect(quiet.contains { $0.fromPosition == 60 && $0.toPosition == 60 })
        #expect(timeline.playback.filter { $0.motion == .playing }.allSatisfy { $0.toPosition >= $0.fromPosition })
        #expect(timeline.gain.contains { abs($0.gain - 0.1995) < 0.001 } && timeline.gain.contains { $0.gain == 0 })
    }

    @Test func positionStaysWithinTheTrack() throws {
        var export = Export()
        func playing(_ track: String, _ position: Int, _ length: Int) -> KeyValuePairs<String, String> {
            [
                "TRACK": "/m/\(track)", "POSITION_USEC": "\(position)000000", "LENGTH_USEC": "\(length)000000",
                "PLAYING": "yes", "INTENT": "playing",
            ]
        }
        export.entry(10, "started", "Tacet runs.", playing("a.flac", 0, 60))
        // 190 s later, 20 s of the third track have been played.
        export.entry(200, "duck-began", "alarm.", playing("c.flac", 20, 300))
        export.entry(205, "duck-ended", "alarm.", playing("c.flac", 25, 300))
        let playback = try export.chronicle().timeline().playback
        #expect(
            playback.map { [$0.from, $0.to, $0.fromPosition, $0.toPosition].map { Int($0.rounded()) } } == [
                [0, 60, 0, 60], [170, 190, 0, 20], [190, 195, 20, 25], [195, 199, 25, 29],
            ])
        #expect(playback.map(\.track) == ["a.flac", "c.flac", "c.flac", "c.flac"])
    }

    @Test func trackOfUnknownLengthIsDrawnOnlyAsFarAsEntriesConfirmIt() throws {
        var export = Export()
        for (time, position) in [(10, 0), (20, 10), (90, 5)] {
            export.entry(
                Double(time), "interruption-ended", "over",
                ["TRACK": "/m/a.mp3", "POSITION_USEC": "\(position)000000", "PLAYING": "yes"])
        }
        let playback = try export.chronicle().timeline().playback
        #expect(playback.map { [$0.from, $0.to] } == [[0, 10], [75, 80]])
    }

    @Test func pictureShowsTheTimeOfDayAndEachNewDate() throws {
        var export = Export()
        // This is 2026-11-21 23:58 UTC.
        export.clock = 1_795_305_480
        export.entry(0, "started", "Tacet runs.", ["PLAYING": "yes"])
        export.entry(300, "stopping", "Tacet stops.")
        let folder = try export.folder()
        let result = try Program.run(
            ["timeline", "--file", "j", "-o", "-"], in: folder.url, environment: ["TZ": "UTC"])
        for text in [">21 Nov 2026<", ">22 Nov 2026<", ">23:59<", ">00:00<", ">00:01<"] {
            #expect(result.output.contains(text), "\(text)")
        }
        #expect(result.output.contains("stopped, 2026-11-22 00:03:00.0 – …"))
    }

    @Test func timelineDrawsAFileOrToStandardOutput() throws {
        let folder = try Export.morning.folder()
        let result = try Program.run(["timeline", "--file", "j", "-o", "p.svg"], in: folder.url)
        #expect(result.code == 0 && result.output.isEmpty && result.errors.isEmpty)
        let svg = try String(contentsOf: folder.url.appendingPathComponent("p.svg"), encoding: .utf8)
        #expect(svg.hasPrefix("<svg") && svg.contains("phone-call") && !svg.contains("duckBegan(-14)"))
        let again = try Program.run(["timeline", "--file", "j", "-o", "-"], in: folder.url)
        #expect(again.output == svg)
        let full = try Program.run(
            ["timeline", "--file", "j", "-o", "-", "--notifications", "--title", "Why was it quiet?"], in: folder.url)
        #expect(full.output.contains(">duckBegan(-14)<") && full.output.contains(">pause → success<"))
        #expect(full.output.contains(">Why was it quiet?</title>"))
    }

    @Test func titleNamesTheHostTheDateAndTheTime() throws {
        var export = Export()
        // 2026-11-21 23:40 UTC.
        export.clock = 1_795_304_400
        export.entry(0, "started", "Tacet runs.", ["PLAYING": "yes"])
        func title() throws -> String {
            let folder = try export.folder()
            let result = try Program.run(
                ["timeline", "--file", "j", "-o", "-"], in: folder.url, environment: ["TZ": "UTC"])
            return String(result.output.firstMatch(of: /<title id="tacet-title">(.*?)<\/title>/)?.1 ?? "")
        }
        export.entry(30, "signal", "a", ["SIGNAL": "a", "ASSERTED": "yes"])
        #expect(try title() == "Tacet on 21 Nov 2026 from 23:40:00 to 23:40:30")
        export.host = "bus-17"
        export.entry(1000, "signal", "a", ["SIGNAL": "a", "ASSERTED": "no"])
        #expect(try title() == "bus-17 on 21 Nov 2026 from 23:40 to 23:56")
        export.host = nil
        export.entry(1320, "stopping", "Tacet stops.")
        #expect(try title() == "bus-17 from 21 Nov 2026 23:40 to 22 Nov 2026 00:02")
    }
}
