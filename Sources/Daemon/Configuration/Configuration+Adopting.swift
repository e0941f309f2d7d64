import AudioSession
import Signals

extension Configuration {
    /// This configuration with everything from another one that can change during playback: the policies of signals and
    /// sounds, conditioning, what outputs mean, ramps and intervals. Wiring, buttons, device, library, and the sounds' files and levels stay.
    public func adopting(_ other: Configuration) -> Configuration {
        var result = self
        result.session = other.session
        // The player was created with this order of tracks.
        result.session.repeats = session.repeats
        result.session.signals =
            other.session.signals.map(\.id) == session.signals.map(\.id)
            ? other.session.signals : session.signals
        result.session.sounds =
            other.session.sounds.map(\.id) == session.sounds.map(\.id) ? other.session.sounds : session.sounds
        if other.outputs.count == outputs.count, zip(outputs, other.outputs).allSatisfy({ $0.drivesLike($1) }) {
            result.outputs = other.outputs
        }
        for (signal, line) in lines {
            guard let new = other.lines[signal], new.isActiveLow == line.isActiveLow else { continue }
            result.lines[signal] = new
        }
        result.playback.fadeOut = other.playback.fadeOut
        result.playback.fadeIn = other.playback.fadeIn
        result.playback.duckAttack = other.playback.duckAttack
        result.playback.duckRelease = other.playback.duckRelease
        result.playback.resumeRewind = other.playback.resumeRewind
        result.state.interval = other.state.interval
        return result
    }

    /// True if everything in which another one differs can change during playback.
    public func canAdopt(_ other: Configuration) -> Bool { adopting(other) == other && paths == other.paths }

    /// Their bytes, because strings are equal if they differ only in their Unicode normalisation, but files are not the same
    /// then.
    private var paths: [[UInt8]] {
        let others = [playback.library, state.directory, recording?.directory].map { $0 ?? "" }
        return (session.sounds.map { sounds[$0.id]?.file ?? "" } + others).map { Array($0.utf8) }
    }
}
