extension Configuration {
    /// The same with another's ramps and intervals: what can change under way.
    public func withRamps(of other: Configuration) -> Configuration {
        var result = self
        result.playback.fadeOut = other.playback.fadeOut
        result.playback.fadeIn = other.playback.fadeIn
        result.playback.duckAttack = other.playback.duckAttack
        result.playback.duckRelease = other.playback.duckRelease
        result.playback.resumeRewind = other.playback.resumeRewind
        result.state.interval = other.state.interval
        return result
    }
}
