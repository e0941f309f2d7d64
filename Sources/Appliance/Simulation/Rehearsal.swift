import ALSA
import AudioSession
import Configuration
import Playback
import Spelling
import Supervisor

/// Plays a scenario against a configuration: the real supervisor, in a virtual world, in no time.
public struct Rehearsal {
    public var configuration: Configuration
    public var scenario: Scenario
    /// A folder to keep the state in; nil: it lives and dies with the run.
    public var stateFolder: String?
    /// Where to write what is heard, what happened, and a picture of it; `-` is standard output.
    public var wav: String?
    public var trace: String?
    public var timeline: String?
    /// Files that no output may replace, besides the library's.
    public var inputs: [String] = []
    /// Called with what a person should know, as it is found out.
    public var onWarning: (String) -> Void = { _ in }

    public init(configuration: Configuration, scenario: Scenario) {
        self.configuration = configuration
        self.scenario = scenario
    }

    /// What has become of a rehearsal.
    public struct Outcome: Sendable {
        public let rows: [TraceRow]
        /// There is a library, but none of it can be played.
        public let nothingPlayable: Bool
    }

    /// Runs it. Outputs appear under their names only when all went well.
    public func run() throws(SimulationError) -> Outcome {
        let tracks = try loadTracks()
        try checkOutputs(sparing: inputs + tracks.map(\.path))
        let wavFile = try output(wav)
        let traceFile = try output(trace)
        let timelineFile = try output(timeline)
        let recorder = wavFile.map(Recorder.init)

        let world = VirtualWorld(
            configuration: configuration, disk: try VirtualDisk(stateFolder), recorder: recorder,
            drawsGain: timeline != nil)
        world.onWarning = onWarning
        let stage = Stage(configuration: configuration, tracks: tracks, world: world)
        try stage.play(scenario)

        do throws(PCMError) {
            try recorder?.finish(at: scenario.end)
        } catch {
            throw SimulationError("\(error)")
        }
        try traceFile?.write(stage.rows.map { $0.json + "\n" }.joined())
        let builder = TimelineBuilder(configuration: configuration, scenario: scenario, stage: stage)
        try timelineFile?.write(builder.timeline.svg())
        for file in [wavFile, traceFile, timelineFile] { try file?.commit() }
        return Outcome(rows: stage.rows, nothingPlayable: configuration.playback.library != nil && !stage.everHadTrack)
    }

    /// An output that would replace an input, or another output, is a slip of the hand.
    private func checkOutputs(sparing inputs: [String]) throws(SimulationError) {
        var taken = Set(inputs.compactMap(FileIdentity.init))
        for output in [wav, trace, timeline].compactMap({ $0 }) {
            guard output != "-", let file = FileIdentity(output) else { continue }
            guard taken.insert(file).inserted else {
                throw SimulationError("\(output) is needed for something else: name another output")
            }
        }
        if wav != nil, scenario.end > Rehearsal.longestRecording {
            throw SimulationError(
                "a WAV file ends at 4 GiB, three hours of 48 kHz stereo: record a shorter scenario, or leave --wav away"
            )
        }
    }

    private static let longestRecording = Duration.seconds(3 * 3600)

    private func output(_ name: String?) throws(SimulationError) -> OutputFile? {
        guard let name else { return nil }
        return try OutputFile(name)
    }

    private func loadTracks() throws(SimulationError) -> [Track] {
        guard let path = configuration.playback.library else {
            onWarning("no Library= is configured: there is nothing to play")
            return []
        }
        do throws(LibraryError) {
            let library = try Library.load(path)
            for folder in library.unreadableFolders { onWarning("\(folder)") }
            return library.tracks
        } catch {
            throw SimulationError("\(error)")
        }
    }
}

/// What is wrong in a line, and what would be right.
struct Complaint: Error {
    let what: String

    init(_ what: String) { self.what = what }

    static func unknown(_ kind: String, _ name: String, among known: [String]) -> Complaint {
        Complaint(Spelling.unknown(kind, name, among: known, otherwise: "use one of \(known.alternatives)"))
    }
}

/// Why a rehearsal could not be done, or could not be written down: what was tried, on what, and in whose words.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
