import AudioSession
import Signals

extension Configuration {
    /// Returns this configuration with everything from another one that can change during playback. This includes the
    /// policies of signals and sounds, conditioning, the meanings of outputs, ramps and intervals. It does not include
    /// wiring, buttons, the device, the library, and the files and levels of the sounds.
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
        result.session.inputs = session.inputs
        result.session.players = session.players
        if other.outputs.count == outputs.count, zip(outputs, other.outputs).allSatisfy({ $0.drivesLike($1) }) {
            result.outputs = other.outputs
        }
        for (signal, line) in lines {
            guard let new = other.lines[signal], new.isActiveLow == line.isActiveLow,
                new.hasComplement == line.hasComplement, new.poll == line.poll
            else { continue }
            result.lines[signal] = new
        }
        result.playback.fadeOut = other.playback.fadeOut
        result.playback.fadeIn = other.playback.fadeIn
        result.playback.duckAttack = other.playback.duckAttack
        result.playback.duckRelease = other.playback.duckRelease
        result.playback.resumeRewind = other.playback.resumeRewind
        result.playback.idleAfter = other.playback.idleAfter
        result.playback.idlePlaylist = other.playback.idlePlaylist
        result.state.interval = other.state.interval
        return result
    }

    /// Returns true if everything in which the other configuration differs can change during playback.
    public func canAdopt(_ other: Configuration) -> Bool { adopting(other) == other && paths == other.paths }

    /// The bytes of the paths. Strings that differ only in their Unicode normalisation are equal, but they name
    /// different files.
    private var paths: [[UInt8]] {
        let others = [playback.library, state.directory, recording?.directory].map { $0 ?? "" }
        return (session.sounds.map { sounds[$0.id]?.file ?? "" } + others).map { Array($0.utf8) }
    }
}
