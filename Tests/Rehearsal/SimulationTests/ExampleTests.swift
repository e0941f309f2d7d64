import AudioSession
import Configuration
import Foundation
import Simulation
import Testing

/// The configurations in `deploy/examples`, whose scenarios and pictures belong to their documentation.
@Suite struct ExampleTests {
    enum Example: String, CaseIterable {
        case museum, bus, shop

        /// The title of the picture.
        var title: String {
            switch self {
            case .museum: "85 seconds at a museum kiosk"
            case .bus: "90 seconds on a bus"
            case .shop: "92 seconds in a shop"
            }
        }

        /// The audio files with their lengths in seconds.
        var files: [String: Int] {
            switch self {
            case .museum:
                [
                    "music/attract/loop.flac": 30, "music/stories/owl.flac": 20, "music/stories/fox.flac": 12,
                    "sounds/leave-the-building.flac": 4,
                ]
            case .bus: ["music/1.flac": 90, "music/2.flac": 90, "sounds/gong.flac": 2, "sounds/next-stop.flac": 4]
            case .shop:
                [
                    "music/1.flac": 90, "music/2.flac": 90, "sounds/till.flac": 3, "sounds/manager.flac": 3,
                    "sounds/closing.flac": 10, "sounds/door.flac": 2,
                ]
            }
        }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/examples").standardizedFileURL

    /// Writes the pictures instead of comparing them if the environment variable `TACET_PICTURES` is set.
    private static let writesPictures = ProcessInfo.processInfo.environment["TACET_PICTURES"] != nil

    /// Rehearses an example with silent files.
    private func run(_ example: Example, in lab: Lab) throws -> [TraceRow] {
        let source = Self.folder.appending(path: example.rawValue)
        for (file, seconds) in example.files {
            let path = lab.path(file)
            try FileManager.default.createDirectory(
                atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
            try lab.write(file, frames: seconds * 8_000, rate: 8_000) { _ in [0] }
        }
        let text = try String(contentsOf: source.appending(path: "\(example).conf"), encoding: .utf8)
        lab.configuration = text.replacing("/srv/\(example)", with: lab.folder)
        let scenario = try String(contentsOf: source.appending(path: "\(example).scenario"), encoding: .utf8)
        var rehearsal = try lab.rehearsal(scenario)
        rehearsal.timeline = lab.path("picture.svg")
        rehearsal.title = example.title
        return try rehearsal.run().rows
    }

    @Test(arguments: Example.allCases) func pictureShowsTheScenario(_ example: Example) throws {
        let lab = try Lab()
        _ = try run(example, in: lab)
        let file = Self.folder.appending(path: "\(example)/\(example).svg")
        let picture = try String(contentsOfFile: lab.path("picture.svg"), encoding: .utf8)
        if Self.writesPictures { try picture.write(to: file, atomically: true, encoding: .utf8) }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == picture, "run ‘make examples’, and look at the pictures")
    }

    @Test(arguments: Example.allCases) func configurationHasNoMistakes(_ example: Example) throws {
        let lab = try Lab()
        _ = try run(example, in: lab)
        #expect(try Configuration.load(.file(lab.path("tacet.conf"))).warnings.map(\.description) == [])
    }

    @Test func coverPausesAStoryThatThenContinues() throws {
        let rows = try run(.museum, in: try Lab())
        let closed = try rows.at("assert cover-closed")
        #expect(closed.track == "owl.flac" && closed.gain == nil && closed.position == .seconds(5))
        #expect(try rows.at("deassert cover-closed").position == .seconds(5))
        #expect(try rows.at("button volume press", occurrence: 2).volume == Level(decibels: -6))
        // Another press begins the story again.
        #expect(try rows.at("button owl press", occurrence: 1).position == .zero)
        #expect(try rows.at("playlist ended").track == "fox.flac")
        #expect(rows.filter { $0.event == "idle" }.map(\.time) == [.seconds(51)])
        #expect(try rows.at("assert alarm").sound == "leave-the-building")
        #expect(try rows.at("deassert alarm").track == "loop.flac")
    }

    @Test func gongSoundsOnceForEachStopAndTheBlackBoxGoesOn() throws {
        let rows = try run(.bus, in: try Lab())
        let gongs = rows.filter { row in
            row.state?.notifications.contains { "\($0)" == "soundBegan(stop-request)" } ?? false
        }
        #expect(gongs.map(\.time) == [.seconds(4), .seconds(42)])
        let emergency = try rows.at("assert emergency")
        #expect(emergency.gain == nil && emergency.isRecording && emergency.outputs == ["recording-lamp"])
        #expect(try rows.at("deassert emergency").intent == .paused)
        #expect(try rows.at("deassert phone-call").sound == "next-stop")
        #expect(try rows.at("boot", occurrence: 1).isRecording)
    }

    @Test func libraryReplacesTheStationAndABellDoesNotEndTheAnnouncement() throws {
        let rows = try run(.shop, in: try Lab())
        #expect(try rows.at("silent radio").source == .library)
        #expect(rows.first { $0.event == "sounds radio" && $0.time > .seconds(30) }?.time == .seconds(40))
        #expect(try rows.at("sounds microphone").gain == Level(decibels: -30))
        #expect(try rows.at("button till press", occurrence: 1).waiting.isEmpty)
        #expect(try rows.at("button door press").sound == "door")
        // The announcement was cut off after 4 of its 10 s, and waits for the fade-out.
        let end = rows.first { $0.event == "sound ended closing" }?.time ?? .zero
        #expect(abs((end - .seconds(70)) / .seconds(1)) < 0.2)
        #expect(try rows.at("deassert alarm").intent == .paused)
    }
}
