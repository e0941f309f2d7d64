import ALSA
import Files
import Glibc
import SoundLab
import Testing

@testable import Recording

/// A recorder of the output of a sound server's sink, which plays frames that contain their own numbers.
final class RecorderLab {
    let server: PulseServer
    let folder: ScratchFolder
    let recorder: MicrophoneRecorder
    private(set) var events: [RecorderEvent] = []
    private var waiting: [RecorderEvent] = []
    private var player: Subprocess?
    private let numbers: String

    /// - Parameter seconds: the length of the numbered signal.
    init(
        seconds: Int = 60, server: PulseServer? = nil, calls: any FileCalls = SystemFileCalls(),
        _ change: (inout RecorderSettings) -> Void = { _ in }
    ) throws {
        let server = try server ?? PulseServer()
        self.server = server
        folder = try ScratchFolder()
        numbers = folder.path + "/numbers.wav"
        try TestMusic.writeNumbers(to: numbers, frames: seconds * 48_000)
        var settings = RecorderSettings(device: server.microphone, directory: folder.path + "/recordings")
        settings.format = .init(rate: 48_000, channels: 2)
        settings.bits = 24
        settings.handling.watchedFolders = [server.folder]
        change(&settings)
        recorder = MicrophoneRecorder(settings, calls: calls) { .seconds(1_795_356_192) }
    }

    deinit { player?.end() }

    /// Plays the numbers, and returns once the monitor receives them.
    func play() throws {
        let monitor = try Recording(server)
        player = try Subprocess(
            ["paplay", "--device=speakers", "--latency-msec=1000", numbers], environment: server.environment)
        try monitor.waitForSound()
        _ = monitor.finish()
    }

    struct Timeout: Error, CustomStringConvertible {
        let description: String
    }

    /// Waits for an event, and removes all events up to it.
    @discardableResult
    func wait<Found>(_ what: String, for find: (RecorderEvent) -> Found?) throws -> Found {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            while !waiting.isEmpty {
                let event = waiting.removeFirst()
                events.append(event)
                if let found = find(event) { return found }
            }
            guard ContinuousClock.now < deadline else {
                throw Timeout(description: "no \(what); events: \(events.suffix(20))")
            }
            look(for: 100)
        }
    }

    /// Waits until a condition holds, and handles events while waiting.
    func pass(_ what: String, until condition: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard ContinuousClock.now < deadline else {
                throw Timeout(description: "not \(what); events: \(events.suffix(20) + waiting.suffix(20))")
            }
            look(for: 5)
        }
    }

    private func look(for milliseconds: Int32) {
        var entry = pollfd(fd: recorder.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, milliseconds)
        waiting += recorder.takeEvents()
    }

    /// Removes the events so far.
    func takeEvents() {
        waiting += recorder.takeEvents()
        events += waiting
        waiting = []
    }

    /// Waits until the capturing thread has made this many turns, which take about 20 ms each while the device is open.
    func passTurns(_ count: Int) throws {
        let start = recorder.progress.captureTurns
        try pass("\(count) turns") { recorder.progress.captureTurns >= start + count }
    }

    /// Begins to record, and waits for the beginning.
    func record() throws {
        recorder.record()
        try wait("recording") { if case .recording = $0 { () } else { nil } }
    }

    /// Ends the recording, and waits for the complete file.
    func finish() throws {
        let order = recorder.finish()
        try wait("end") { if case .finished(order, _, _) = $0 { () } else { nil } }
    }

    /// The recordings that have ended, in order.
    func files() throws -> [DecodedFile] {
        takeEvents()
        return try events.compactMap { event in
            guard case .fileEnded(let path, _, _) = event else { return nil }
            return path
        }.map { (path: String) in
            let bytes = try #require(ScratchFolder.bytes(of: path), "\(path)")
            return try #require(DecodedFile(bytes), "\(path)")
        }
    }

    /// The numbers of all recorded frames, in order.
    func recordedNumbers() throws -> [Int] {
        try files().flatMap { file in
            stride(from: 0, to: file.samples.count, by: file.channels).map { Int(file.samples[$0]) }
        }
    }

    /// The parts of the capture clock that were recorded, according to the events.
    var stretches: [Range<Int>] {
        var stretches: [Range<Int>] = []
        var start: Int?
        for event in events {
            switch event {
            case .recording(_, let frame): start = frame
            case .paused(_, _, let frame, _):
                if let begin = start { stretches.append(begin..<frame) }
                start = nil
            default: break
            }
        }
        return stretches
    }
}
