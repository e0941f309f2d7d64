import Foundation
import Testing
import Timeline

private let directory = ProcessInfo.processInfo.environment["TIMELINE_SAMPLES"]

/// Writes the samples for visual inspection: `TIMELINE_SAMPLES=/some/directory swift test --filter writeSamples`.
@Test(.enabled(if: directory != nil)) func writeSamples() throws {
    let folder = URL(fileURLWithPath: try #require(directory))
    for (name, timeline) in Samples.all {
        try Data(timeline.svg().utf8).write(to: folder.appendingPathComponent("\(name).svg"))
    }
}
