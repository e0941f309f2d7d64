import ALSA
import AudioSession
import Configuration
import Playback
import Recording
import Spelling
import Supervisor

/// Runs a scenario against a configuration. The real supervisor runs in a virtual world, without waiting in real time.
public struct Rehearsal {
    public var configuration: Configuration
    public var scenario: Scenario
    /// A folder in which the state is saved, or nil to discard the state after the run.
    public var stateFolder: String?
    /// The paths of the recording, the trace and the timeline. The path `-` stands for standard output, and nil omits
    /// the file.
    public var wav: String?
    public var trace: String?
    public var timeline: String?
    /// The title of the timeline, or nil for the length and the name of the scenario.
    public var title: String?
    /// True if the timeline has the rows of the notifications and of the commands.
    public var showsNotifications = false
    /// An empty or missing folder in which to write what is recorded of the microphone, or nil to write nothing. The
    /// value of each frame is its number, as in `VirtualMicrophone`.
    public var recordings: String?
    /// The audio files whose sound arrives at inputs, again and again. At the other inputs, silence arrives.
    public var inputFiles: [InputID: Track] = [:]
    /// Files that no output may replace, in addition to those of the library.
    public var inputs: [String] = []
    /// Called with each warning for people as soon as it is found. This is a property, so that it can be set like the
    /// other options.
    public var onWarning: (String) -> Void = { _ in }

    public init(configuration: Configuration, scenario: Scenario) {
        self.configuration = configuration
        self.scenario = scenario
    }

    /// The result of a rehearsal.
    public struct Outcome: Sendable {
        public let rows: [TraceRow]
        /// True if a library is configured but none of its tracks can be played.
        public let nothingPlayable: Bool
    }

    /// Runs the scenario. The output files appear under their names only after everything has succeeded.
    public func run() throws(SimulationError) -> Outcome {
        let tracks = try loadTracks()
        try checkOutputs(
            sparing: tracks + inputFiles.values
                + (inputs + scenario.files + configuration.sounds.values.map(\.file)).map(Track.init(path:)))
        try checkInputFiles()
        let wavFile = try output(wav)
        let traceFile = try output(trace)
        let timelineFile = try output(timeline)
        let recorder = wavFile.map(Recorder.init)

        let world = VirtualWorld(
            configuration: configuration, tracks: tracks, disk: try VirtualDisk(stateFolder), recorder: recorder,
            drawsGain: timeline != nil, recordings: try virtualRecording(), inputFiles: inputFiles)
        let runner = ScenarioRunner(configuration: configuration, world: world, onWarning: onWarning)
        try runner.run(scenario)

        world.use { (microphone, now) throws(RecordingError) in try microphone.finish(at: now) }
        if let failure = world.failure { throw failure }
        do throws(PCMError) {
            try recorder?.finish(at: scenario.end)
        } catch {
            throw SimulationError("\(error)")
        }
        try traceFile?.write(runner.rows.map { $0.json + "\n" }.joined())
        let builder = TimelineBuilder(configuration: configuration, scenario: scenario, runner: runner, title: title)
        try timelineFile?.write(builder.timeline.svg(notifications: showsNotifications))
        for file in [wavFile, traceFile, timelineFile] { try file?.commit() }
        return Outcome(
            rows: runner.rows, nothingPlayable: configuration.playback.library != nil && !runner.everHadTrack)
    }

    /// Rejects an output that would replace an input or another output.
    private func checkOutputs(sparing inputs: [Track]) throws(SimulationError) {
        var taken = Set(inputs.compactMap { OutputIdentity($0) })
        for output in [wav, trace, timeline].compactMap({ $0 }) {
            guard output != "-", let file = OutputIdentity(output) else { continue }
            guard taken.insert(file).inserted else {
                throw SimulationError("\(output) is also an input or another output: specify another file")
            }
        }
        if wav != nil, scenario.end > Rehearsal.longestRecording {
            throw SimulationError(
                "a WAV file holds at most 4 GiB, three hours of 48 kHz stereo: record a shorter scenario, or omit --wav"
            )
        }
    }

    /// Rejects a file for an unknown input, and a file that cannot be played.
    private func checkInputFiles() throws(SimulationError) {
        for (input, file) in inputFiles.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let known = configuration.inputs.map(\.id.rawValue)
            guard known.contains(input.rawValue) else {
                throw SimulationError(
                    known.isEmpty
                        ? "there is no input ‘\(input)’: add a section [Input \(input)]"
                        : Spelling.unknown(
                            "input", input.rawValue, among: known, otherwise: "use one of \(known.alternatives)"))
            }
            do throws(DecoderError) { _ = try Decoder.open(file) } catch { throw SimulationError("\(error)") }
        }
    }

    private func virtualRecording() throws(SimulationError) -> VirtualRecording? {
        guard let recordings else { return nil }
        guard configuration.session.canRecord, let settings = configuration.recording else {
            throw SimulationError(
                "nothing is recorded under this configuration: write [Recording], and Category=record or playAndRecord in "
                    + "[Session], or omit --recordings")
        }
        guard VirtualRecording.isEmpty(recordings) else {
            throw SimulationError("the folder \(recordings) is not empty: name another one for the recordings")
        }
        return VirtualRecording(settings, in: recordings, interval: configuration.state.interval)
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
            for folder in library.unreadable { onWarning("\(folder)") }
            if !library.unplayable.isEmpty { onWarning("in the library \(path), \(library.unplayable)") }
            return library.tracks
        } catch {
            throw SimulationError("\(error)")
        }
    }
}

/// A mistake on a line of a scenario, and how to fix it.
struct Complaint: Error {
    let what: String

    init(_ what: String) { self.what = what }

    static func unknown(_ kind: String, _ name: String, among known: [String]) -> Complaint {
        Complaint(Spelling.unknown(kind, name, among: known, otherwise: "use one of \(known.alternatives)"))
    }
}

/// The reason why a rehearsal, or writing its outputs, failed. It contains the operation, the file or device, and the
/// system's message.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
