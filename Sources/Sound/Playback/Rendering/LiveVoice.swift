/// A live input in a `RenderCore`, with its own gain. It adds the input's frames to the output.
///
/// The voice reads the frame whose turn it is to be heard, so the audio stays live whether or not it is played. If the
/// input runs out of frames, the last frames fade out, and the first frames of the next stream fade in. It consists of
/// plain values, so that rendering can be undone by restoring a copy.
struct LiveVoice: Sendable {
    /// The input's frames. Only a voice with an input has frames.
    private(set) var reader: LiveReader
    private(set) var hasInput: Bool
    private(set) var state = RenderState.stopped
    /// The requested gain and its ramp.
    private(set) var level = GainRamp()
    /// The index of the next frame to play.
    private(set) var index: Int
    /// The number of frames that pass in silence before the input is heard, while the amplifier is switched on.
    private(set) var hold = 0
    /// True if the index has to be determined from the time before the next frame is rendered.
    private(set) var needsTime = false
    private var gate = LiveGate()
    private var starvations: Int
    private var discarded: Int
    private var played: Int
    /// True if the end of the fade-out is reported.
    private var reportsFade = false

    /// - Parameter hasInput: false for a voice that only takes the place of one.
    @_noLocks @_noAllocation
    init(_ reader: LiveReader, hasInput: Bool = true) {
        self.reader = reader
        self.hasInput = hasInput
        let clock = reader.clock
        index = clock.index
        starvations = clock.starvations
        discarded = clock.discarded
        played = clock.played
    }

    var isSilent: Bool { @_noLocks @_noAllocation get { state.isStopped } }

    /// True if the voice is silent because its input has run out of frames.
    var isStarving: Bool { @_noLocks @_noAllocation get { !state.isStopped && gate.isStarving } }

    /// The number of frames until a fade-out ends, or nil if none is in progress.
    var framesUntilFaded: Int? { @_noLocks @_noAllocation get { state.isStopping ? level.remaining : nil } }

    /// True if the voice plays the same input.
    @_noLocks @_noAllocation
    func plays(_ other: LiveReader) -> Bool { hasInput && reader.isSame(as: other) }

    /// Plays with a ramp to a gain, as `RenderCore.play` does.
    @_noLocks @_noAllocation
    mutating func play(gain: Float, over frames: Int, after wait: Int) {
        if state.isStopped {
            hold = max(0, wait)
            level = GainRamp()
            gate = LiveGate()
            needsTime = true
        }
        state = .playing
        level.retarget(to: gain, over: frames)
    }

    /// Fades out. Does nothing unless the voice is playing.
    /// - Returns: true if the voice is already silent.
    @_noLocks @_noAllocation
    mutating func silence(over frames: Int, reports: Bool) -> Bool {
        guard state.isPlaying else {
            if !reports { reportsFade = false }
            return false
        }
        reportsFade = reports
        level.retarget(to: 0, over: frames)
        state = level.isAtRest ? .stopped : .stopping
        return level.isAtRest
    }

    /// Causes the index to be determined from the time again, because the device has lost frames.
    @_noLocks @_noAllocation
    mutating func loseTime() {
        if !state.isStopped { needsTime = true }
    }

    /// Determines the index of the next frame.
    /// - Parameters:
    ///   - delay: the number of frames that are heard before the next frame.
    ///   - now: the time in nanoseconds of CLOCK_MONOTONIC at which this is the delay.
    ///   - fade: the number of frames over which the voice fades in if it was heard before.
    @_noLocks @_noAllocation
    mutating func setTime(delay: Int, at now: Int, fade: Int) {
        needsTime = false
        let next = reader.clock.heard(at: now, rate: reader.rate) + delay
        discarded += max(0, min(next, reader.written.value) - max(index, reader.start.value))
        index = next
        if gate.hasPassed { gate.reopen(over: fade) }
    }

    /// Reports when the frames are heard.
    /// - Parameter delay: the number of rendered frames that had not been heard at the given time.
    @_noLocks @_noAllocation
    func post(delay: Int, at now: Int) {
        guard !state.isStopped, !needsTime else { return }
        reader.post(
            LiveClock(
                index: index - delay, time: now, delay: delay, starvations: starvations, discarded: discarded,
                played: played))
    }

    /// Adds the next frames to `output`.
    /// - Parameter fade: the number of frames over which the audio fades when it is interrupted.
    /// - Returns: two values. The first is true if anything was added, and the second is true if a requested silence has
    ///   been reached.
    @_noLocks @_noAllocation
    mutating func mix(
        into output: UnsafeMutablePointer<Float>, frames: Int, fade: Int
    ) -> (isHeard: Bool, hasFaded: Bool) {
        // Read the end first, so that the start belongs to it or to a later stream.
        let end = reader.written.value
        let start = reader.start.value
        gate.notePass(ofStream: start)
        var isHeard = false
        var done = 0
        while done < frames, !state.isStopped {
            let rest = state.isStopping ? min(frames - done, level.remaining) : frames - done
            let playable = playable(start: start, end: end, fade: fade, of: rest, in: frames - done)
            if playable > 0 {
                add(playable, to: output + done * reader.channels)
                isHeard = true
                done += playable
            } else {
                let silent = silent(start: start, of: rest)
                pass(silent)
                done += silent
            }
            if gate.isShut, !gate.isStarving, playable > 0 { starve() }
            if state.isStopping, level.isAtRest {
                state = .stopped
                return (isHeard, reportsFade)
            }
        }
        return (isHeard, false)
    }

    /// Returns the number of frames that can be played next, and prepares the gate for them.
    @_noLocks @_noAllocation
    private mutating func playable(start: Int, end: Int, fade: Int, of rest: Int, in block: Int) -> Int {
        guard hold == 0, !gate.isStarving, index >= start else { return 0 }
        let readable = end - index
        // The frames have been overwritten because the device did not take any for some time.
        guard readable > 0, index >= reader.oldest(before: end) else {
            starve()
            return 0
        }
        gate.openFromSilence(over: fade)
        var count = min(rest, readable)
        if readable < block + fade {
            let untilFade = readable - min(fade, readable)
            if untilFade > 0 {
                count = min(count, untilFade)
            } else {
                gate.close(over: readable)
                count = min(count, gate.remaining)
            }
        } else {
            gate.open(over: fade)
        }
        return count
    }

    /// Returns the number of silent frames that come next.
    @_noLocks @_noAllocation
    private func silent(start: Int, of rest: Int) -> Int {
        if hold > 0 { return min(rest, hold) }
        return !gate.isStarving && index < start ? min(rest, start - index) : rest
    }

    /// Advances past frames that are not heard.
    @_noLocks @_noAllocation
    private mutating func pass(_ frames: Int) {
        if hold > 0 {
            hold -= min(hold, frames)
            played += frames
        } else {
            gate.shut()
        }
        index += frames
        // A fade-in begins with the first frame that is heard.
        if level.gain > 0 || state.isStopping { level.skip(frames) }
    }

    /// Stays silent until another stream begins.
    @_noLocks @_noAllocation
    private mutating func starve() {
        gate.starve(at: index)
        starvations += 1
    }

    @_noLocks @_noAllocation
    private mutating func add(_ frames: Int, to output: UnsafeMutablePointer<Float>) {
        let channels = reader.channels
        var done = 0
        while done < frames {
            let segment = reader.segment(at: index, limit: frames - done)
            var destination = output + done * channels
            var source = segment.start
            for _ in 0..<segment.frames {
                let gain = level.next() * gate.ramp.next()
                for channel in 0..<channels { destination[channel] += source[channel] * gain }
                destination += channels
                source += channels
            }
            index += segment.frames
            done += segment.frames
            played += segment.frames
        }
    }

    /// The number of frames that can be read now.
    var readable: Int {
        @_noLocks @_noAllocation get {
            let end = reader.written.value
            guard !needsTime, hold == 0, !gate.isStarving, index >= reader.start.value else { return 0 }
            return index >= reader.oldest(before: end) ? max(0, end - index) : 0
        }
    }

    /// Adds the next frames to `output` with a fade-out, and stops.
    /// - Parameter frames: at most `readable`.
    @_noLocks @_noAllocation
    mutating func fadeOut(into output: UnsafeMutablePointer<Float>, frames: Int) {
        var fade = GainRamp(gain: level.gain)
        fade.retarget(to: 0, over: frames)
        level = fade
        if frames > 0 { add(frames, to: output) }
        state = .stopped
    }
}

/// The gate of a live input. It closes before the input runs out of frames, and opens when another stream begins.
struct LiveGate: Sendable {
    var ramp = GainRamp(gain: 1)
    /// True if the gate stays shut until a stream begins after `starvedAt`.
    private(set) var isStarving = false
    private var starvedAt = 0
    /// True if frames have been rendered since the gate was made.
    private(set) var hasPassed = false

    @_noLocks @_noAllocation
    init() {}

    var remaining: Int { @_noLocks @_noAllocation get { ramp.remaining } }
    var isShut: Bool { @_noLocks @_noAllocation get { ramp.isAtRest && ramp.gain == 0 } }

    /// Records that frames are rendered while the newest stream begins at this index.
    @_noLocks @_noAllocation
    mutating func notePass(ofStream start: Int) {
        hasPassed = true
        if isStarving, start > starvedAt { isStarving = false }
    }

    @_noLocks @_noAllocation
    mutating func starve(at index: Int) {
        isStarving = true
        starvedAt = index
        shut()
    }

    @_noLocks @_noAllocation
    mutating func shut() { ramp = GainRamp() }

    @_noLocks @_noAllocation
    mutating func open(over frames: Int) {
        if ramp.target == 0 { ramp.retarget(to: 1, over: frames) }
    }

    @_noLocks @_noAllocation
    mutating func openFromSilence(over frames: Int) {
        if isShut { ramp.retarget(to: 1, over: frames) }
    }

    @_noLocks @_noAllocation
    mutating func close(over frames: Int) {
        if ramp.target > 0 { ramp.retarget(to: 0, over: frames) }
    }

    /// Opens the gate from silence.
    @_noLocks @_noAllocation
    mutating func reopen(over frames: Int) {
        isStarving = false
        shut()
        ramp.retarget(to: 1, over: frames)
    }
}

/// The live inputs of a `RenderCore`, which are the selected one and the one that it replaces.
struct LiveVoices: ~Copyable {
    private(set) var selected: LiveVoice
    private(set) var leaving: LiveVoice
    /// True if an input is selected instead of the library, whether or not it has frames.
    private(set) var isSelected = false
    private let none: LiveReader
    private let samples: UnsafeMutablePointer<Float>
    private let words: UnsafeMutablePointer<Int>
    private let fade: Int

    /// - Parameter fade: the number of frames over which audio fades when it is interrupted.
    init(channels: Int, rate: Int, fade: Int) {
        self.fade = fade
        samples = .allocate(capacity: channels)
        samples.initialize(repeating: 0, count: channels)
        words = .allocate(capacity: LiveReader.words)
        words.initialize(repeating: 0, count: LiveReader.words)
        none = LiveReader(samples: samples, capacity: 1, rate: rate, channels: channels, words: words)
        selected = LiveVoice(none, hasInput: false)
        leaving = selected
    }

    deinit {
        samples.deallocate()
        words.deallocate()
    }

    var isSilent: Bool { @_noLocks @_noAllocation get { selected.isSilent && leaving.isSilent } }
    var isStarving: Bool { @_noLocks @_noAllocation get { selected.isStarving || leaving.isStarving } }
    var needsTime: Bool { @_noLocks @_noAllocation get { selected.needsTime || leaving.needsTime } }

    /// The number of frames until a fade-out ends, or nil if none is in progress.
    var framesUntilFaded: Int? {
        @_noLocks @_noAllocation get {
            guard let own = selected.framesUntilFaded else { return leaving.framesUntilFaded }
            return min(own, leaving.framesUntilFaded ?? own)
        }
    }

    /// Selects an input. The previous one fades out.
    /// - Parameter tail: receives the end of an input that is still fading out for another one.
    @_noLocks @_noAllocation
    mutating func select(_ reader: LiveReader, over frames: Int, tail: inout CrossfadeTail) {
        isSelected = true
        if leaving.plays(reader), !leaving.isSilent {
            // The input returns, so its fade-out is reversed when it is played.
            let returning = leaving
            leaving = selected
            _ = leaving.silence(over: frames, reports: false)
            selected = returning
        } else if !selected.plays(reader) {
            leave(over: frames, tail: &tail)
            selected = LiveVoice(reader)
        } else {
            // The same input is selected again.
            _ = selected.silence(over: frames, reports: false)
        }
    }

    /// Selects something else. The input fades out.
    /// - Parameter isOther: true if an input is selected that has no frames.
    @_noLocks @_noAllocation
    mutating func deselect(over frames: Int, tail: inout CrossfadeTail, isOther: Bool) {
        leave(over: frames, tail: &tail)
        isSelected = isOther
    }

    @_noLocks @_noAllocation
    private mutating func leave(over frames: Int, tail: inout CrossfadeTail) {
        if !selected.isSilent {
            cutLeaving(into: &tail)
            leaving = selected
            _ = leaving.silence(over: frames, reports: false)
        }
        selected = LiveVoice(none, hasInput: false)
    }

    /// Shortens the fade-out of the previous input, because another one takes its place.
    @_noLocks @_noAllocation
    private mutating func cutLeaving(into tail: inout CrossfadeTail) {
        guard !leaving.isSilent else { return }
        let count = min(tail.capacity, leaving.readable)
        leaving.fadeOut(into: tail.open(frames: count), frames: count)
    }

    @_noLocks @_noAllocation
    mutating func play(gain: Float, over frames: Int, after wait: Int) {
        if selected.hasInput { selected.play(gain: gain, over: frames, after: wait) }
    }

    @_noLocks @_noAllocation
    mutating func silence(over frames: Int) -> Bool {
        selected.silence(over: frames, reports: true)
    }

    @_noLocks @_noAllocation
    mutating func loseTime() {
        selected.loseTime()
        leaving.loseTime()
    }

    @_noLocks @_noAllocation
    mutating func setTime(delay: Int, at now: Int) {
        if selected.needsTime { selected.setTime(delay: delay, at: now, fade: fade) }
        if leaving.needsTime { leaving.setTime(delay: delay, at: now, fade: fade) }
    }

    @_noLocks @_noAllocation
    func post(delay: Int, at now: Int) {
        selected.post(delay: delay, at: now)
        leaving.post(delay: delay, at: now)
    }

    @_noLocks @_noAllocation
    mutating func mix(
        into output: UnsafeMutablePointer<Float>, frames: Int
    ) -> (isHeard: Bool, hasFaded: Bool) {
        let old = leaving.mix(into: output, frames: frames, fade: fade)
        let new = selected.mix(into: output, frames: frames, fade: fade)
        return (old.isHeard || new.isHeard, old.hasFaded || new.hasFaded)
    }

    var checkpoint: LiveCheckpoint {
        @_noLocks @_noAllocation get { LiveCheckpoint(selected: selected, leaving: leaving) }
    }

    @_noLocks @_noAllocation
    mutating func restore(_ checkpoint: LiveCheckpoint) {
        selected = checkpoint.selected
        leaving = checkpoint.leaving
    }
}

/// Everything that `LiveVoices.mix` changes.
struct LiveCheckpoint: Sendable {
    let selected: LiveVoice
    let leaving: LiveVoice

    @_noLocks @_noAllocation
    init(selected: LiveVoice, leaving: LiveVoice) {
        self.selected = selected
        self.leaving = leaving
    }
}
