import Foundation
import SoundLab
import Testing

@testable import Stream

/// Stations in formats that ffmpeg encodes, one of which it also decodes.
@Suite(.serialized) struct EncodedStationTests {
    @Test(arguments: [("aac.aac", "aac"), ("flac.ogg", "flac")]) func playsAToneOfFFmpeg(file: String, codec: String)
        throws
    {
        let music = try #require(StationLab.music)
        let encoder = try Subprocess([
            "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", music.appendingPathComponent("music.flac").path, "-c:a",
            codec,
            music.appendingPathComponent(file).path,
        ])
        #expect(encoder.wait() == 0)
        let lab = try StationLab()
        lab.tune(to: "/file/\(file)")
        lab.expectTone()
        #expect(lab.report.description.artist == (codec == "aac" ? "Test Radio" : "An artist"))
        if codec == "flac" { #expect(lab.report.description.title == "A song") }
    }
}
