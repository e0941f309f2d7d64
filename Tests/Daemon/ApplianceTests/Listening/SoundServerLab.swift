import ALSA
import AudioSession
import Configuration
import Foundation
import Playback
import SoundLab
import Supervisor

/// A supervisor in real time, on a real sound server.
final class SoundServerLab {
    let server: PulseServer
    private let folder: URL
    private let world: LabWorld

    /// - Parameters:
    ///   - tracks: the number of frames of each track, at 48 kHz. Their values are their numbers.
    ///   - usesPlugIn: true to play through ALSA's plug-in, whose calls a test can sabotage.
    init(
        tracks: [Int] = [2_880_000], server: PulseServer? = nil, usesPlugIn: Bool = false,
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws {
        self.server = try server ?? PulseServer()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = Configuration.builtIn
        configuration.playback.fadeOut = .milliseconds(20)
        // Without a ramp, the first audible frame can be identified.
        configuration.playback.fadeIn = .zero
        change(&configuration)
        var library: [Track] = []
        for (number, frames) in tracks.enumerated() {
            let path = folder.appendingPathComponent("\(number).wav").path
            try TestMusic.writeNumbers(to: path, frames: frames)
            library.append(Track(path: path))
        }
        world = LabWorld(
            server: self.server, usesPlugIn: usesPlugIn, configuration: configuration, tracks: library)
        world.boot()
    }

    func handle(_ input: Supervisor.Input) { world.handle(input) }

    var position: Duration? { world.supervisor.position(of: world.playerState) }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    struct Nothing: Error, CustomStringConvertible {
        let description: String
    }

    /// Lets time pass until a report satisfies a condition. Each report is checked only once.
    @discardableResult
    func wait(_ what: String, within timeout: Duration = .seconds(15), for condition: (Report) -> Bool) throws -> Report
    {
        let deadline = world.now + timeout
        while true {
            while asked < world.reports.count {
                asked += 1
                if condition(world.reports[asked - 1]) { return world.reports[asked - 1] }
            }
            guard world.now < deadline else {
                throw Nothing(
                    description: "no \(what), but \(world.reports.map { "\($0.cause) \($0.notifications)" })")
            }
            pass(until: deadline)
        }
    }

    private var asked = 0

    func wait(for notification: SessionNotification) throws {
        try wait("\(notification)") { $0.notifications.contains(notification) }
    }

    func waitForEffect() throws -> CommandEffect {
        var found: CommandEffect?
        try wait("effect") {
            if case .note(.playback(.effect(let effect))) = $0.cause { found = effect }
            return found != nil
        }
        guard let found else { throw Nothing(description: "no effect") }
        return found
    }

    /// The configurations to which the device has agreed, one for each time it was opened.
    var configurations: [PCMConfiguration] {
        world.reports.compactMap {
            if case .note(.playback(.deviceOpened(let configuration))) = $0.cause { configuration } else { nil }
        }
    }

    /// Records the sound while time passes here.
    func record() throws -> Recording {
        // Everything is on the test's thread.
        nonisolated(unsafe) let lab = self
        return try Recording(server) { lab.pass(until: lab.world.now + .milliseconds(2)) }
    }

    private func pass(until deadline: Duration) {
        guard let player = world.player else { return }
        let known = world.reports.count
        world.handle(.time)
        guard world.reports.count == known else { return }
        let next = min(world.supervisor.deadline ?? deadline, deadline)
        var entry = pollfd(fd: player.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Int32(max(.zero, next - world.now) / .milliseconds(1)) + 1)
    }
}
