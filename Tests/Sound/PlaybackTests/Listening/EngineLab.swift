import ALSA
import CRealTime
import Foundation
import SoundLab

@testable import Playback

/// An engine that plays tracks with numbered frames to the sink of a sound server.
final class EngineLab {
    let server: PulseServer
    let engine: RealTimeEngine
    private(set) var events: [PlaybackEvent] = []
    let folder: TemporaryFolder

    /// The way to the server, which is direct and to a named sink or the default one, or through ALSA's plug-in, whose
    /// calls a test can sabotage.
    enum Output { case server, defaultSink, plugIn }

    /// - Parameter tracks: the number of frames of each track, and its rate. The values of the frames are their
    ///   numbers.
    init(
        tracks: [(frames: Int, rate: Int)] = [(1_440_000, 48_000)], server: PulseServer? = nil,
        sounds: [Sound] = [], inputs: [LiveInput] = [], output: Output = .server,
        _ change: (inout EngineSettings) -> Void = { _ in }
    ) throws {
        let server = try server ?? PulseServer()
        self.server = server
        folder = try TemporaryFolder()
        var library: [Track] = []
        for (number, track) in tracks.enumerated() {
            let path = folder.path("\(number).wav")
            try TestMusic.writeNumbers(to: path, frames: track.frames, rate: track.rate)
            library.append(Track(path: path))
        }
        let address =
            switch output {
            case .server: server.address
            case .defaultSink: server.defaultAddress
            case .plugIn: server.plugInAddress
            }
        var settings = EngineSettings(address)
        settings.handling.watchedFolders = [server.folder]
        // The queue of a device that cannot rewind is as long as its buffer, so that comparisons of frames do not
        // depend on the load of the machine.
        if output == .plugIn { settings.queue = .milliseconds(200) }
        change(&settings)
        let count = library.count
        engine = RealTimeEngine(
            tracks: library,
            order: TrackOrder(
                successor: { $0 + 1 < count ? $0 + 1 : nil }, next: { $0 + 1 < count ? $0 + 1 : nil },
                previous: { $0 > 0 ? $0 - 1 : nil }), sounds: sounds, inputs: inputs,
            settings: settings)
    }

    struct Timeout: Error, CustomStringConvertible {
        let description: String
    }

    /// Waits for an event, and removes all events up to it.
    @discardableResult
    func wait<Found>(
        _ what: String = "event", within timeout: Duration = .seconds(10), for find: (PlaybackEvent) -> Found?
    ) throws -> Found {
        let deadline = ContinuousClock.now + timeout
        while true {
            while !waiting.isEmpty {
                let event = waiting.removeFirst()
                events.append(event)
                if let found = find(event) { return found }
            }
            var entry = pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline - ContinuousClock.now
            guard left > .zero else {
                throw Timeout(description: "no \(what) within \(timeout), but \(events) and \(engine.statusText)")
            }
            poll(&entry, 1, Int32(left / .milliseconds(1)) + 1)
            waiting += engine.takeEvents()
        }
    }

    private var waiting: [PlaybackEvent] = []

    /// Waits until a condition holds. Evaluates the condition with each event, and with nil between events.
    func pass(_ what: String, within timeout: Duration = .seconds(10), until isDone: (PlaybackEvent?) -> Bool) throws {
        let deadline = ContinuousClock.now + timeout
        while ContinuousClock.now < deadline {
            waiting += engine.takeEvents()
            if waiting.isEmpty, isDone(nil) { return }
            while !waiting.isEmpty {
                let event = waiting.removeFirst()
                events.append(event)
                if isDone(event) { return }
            }
            poll(nil, 0, 2)
        }
        throw Timeout(description: "no \(what) within \(timeout), but \(events) and \(engine.statusText)")
    }

    /// Records the sink. While the test waits for the recording, the engine continues.
    func record() throws -> Recording {
        // Everything runs on the test's thread.
        nonisolated(unsafe) let lab = self
        return try Recording(server) {
            lab.waiting += lab.engine.takeEvents()
            poll(nil, 0, 2)
        }
    }

    func wait(for event: PlaybackEvent) throws {
        try wait("\(event)") { $0 == event ? () : nil }
    }

    func waitForEffect() throws -> CommandEffect {
        try wait("effect") { if case .effect(let effect) = $0 { effect } else { nil } }
    }

    /// The number of underruns among the events taken so far.
    var underruns: Int { events.filter { if case .underrun = $0 { true } else { false } }.count }

    /// Plays a track from a position, and waits until it is audible.
    func play(track: Int = 0, at position: Duration = .zero, over ramp: Duration = .zero) throws {
        engine.load(track: track, at: position)
        try wait(for: .loaded(track: track))
        engine.play(gain: 1, over: ramp)
        _ = try waitForEffect()
    }
}

extension RealTimeEngine {
    /// True if music is being heard or has just been heard.
    var isAdvancing: Bool { advancesUntil > .nanoseconds(realtime_now()) }
    var statusText: String { "\(exchange.readStatus())" }
}
