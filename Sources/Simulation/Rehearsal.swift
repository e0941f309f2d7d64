import AudioSession
import Configuration
import Playback
import ResumeStore
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
        let wavFile = try output(wav)
        let traceFile = try output(trace)
        let timelineFile = try output(timeline)
        let recorder = wavFile.map(Recorder.init)

        let tracks = try loadTracks()
        let state = try StateFolder(stateFolder)
        let world = VirtualWorld(
            configuration: configuration, store: ResumeStore(directory: state.path), recorder: recorder,
            drawsGain: timeline != nil)
        world.onWarning = onWarning
        let stage = Stage(configuration: configuration, tracks: tracks, world: world)
        try stage.play(scenario)

        do throws(PCMError) {
            try recorder?.finish(at: scenario.end)
        } catch {
            throw SimulationError("\(error)")
        }
        try wavFile?.commit()
        try traceFile?.write(stage.rows.map { $0.json + "\n" }.joined())
        try traceFile?.commit()
        if let timelineFile {
            let picture = TimelineBuilder(configuration: configuration, scenario: scenario, stage: stage).timeline
            try timelineFile.write(picture.svg())
            try timelineFile.commit()
        }
        return Outcome(rows: stage.rows, nothingPlayable: configuration.playback.library != nil && !stage.everHadTrack)
    }

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
            return try Library.load(path).tracks
        } catch {
            throw SimulationError("\(error)")
        }
    }
}
