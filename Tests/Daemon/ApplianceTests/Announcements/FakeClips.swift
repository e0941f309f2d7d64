import ALSA
import Dispatch
import Playback
import Synchronization

@testable import Appliance

/// A disk with the files of announcements, which answers only when the test allows it. It is thread-safe.
final class FakeClips: Sendable {
    private struct State {
        var isOpen = true
        var paths: [String] = []
        var read: [String] = []
        var gates: [String: DispatchSemaphore] = [:]
    }

    private let state = Mutex(State())

    /// The paths that have been requested so far.
    var paths: [String] { state.withLock { $0.paths } }

    /// The paths whose files have been read or could not be read.
    var read: [String] { state.withLock { $0.read } }

    /// Delays each file from now on until it is released.
    func hold() { state.withLock { $0.isOpen = false } }

    func release(_ path: String) { gate(path).signal() }

    private func gate(_ path: String) -> DispatchSemaphore {
        state.withLock { state in
            let gate = state.gates[path] ?? DispatchSemaphore(value: 0)
            state.gates[path] = gate
            return gate
        }
    }

    var load: ClipLoader.Load {
        { [self] path, format in
            let isOpen = state.withLock { state in
                state.paths.append(path)
                return state.isOpen
            }
            if !isOpen { gate(path).wait() }
            defer { state.withLock { $0.read.append(path) } }
            return ClipLoader.load(path, format)
        }
    }
}
