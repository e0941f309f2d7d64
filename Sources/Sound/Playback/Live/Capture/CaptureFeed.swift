import ALSA
import Time

/// Delivers the audio of a capture device to live inputs while it is loud enough to count. This type does not wait or
/// read a clock itself. Use it from one thread.
///
/// While the gate is closed, silence is delivered for a while, and then nothing. When the gate opens or closes, or
/// frames have been lost, the audio fades, so that there is never a step.
final class CaptureFeed {
    let format: StreamFormat
    private let feeds: [LiveFeed]
    private var gate: LevelGate
    /// The gain of the audio, which follows the gate.
    private var gain = GainRamp()
    /// The last frame that has been delivered.
    private var lastFrame: [Float]
    /// The time at which the gate has closed, in nanoseconds.
    private var closedAt = 0
    private var reports: [InputReport] = []

    /// The number of blocks in a second. The level of each one is measured.
    private static let blocksPerSecond = 100
    /// The length of the fade-out at a gap.
    private static let fade = Duration.milliseconds(5)
    /// The time for which silence is delivered after the latency, so that the fade-out has certainly been heard.
    private static let margin = Duration.milliseconds(500)

    /// - Parameters:
    ///   - format: the format of the device's audio, whose samples are 32-bit floating-point numbers.
    ///   - threshold: the least peak that counts, as a linear gain.
    init(_ inputs: [LiveInput], format: StreamFormat, threshold: Float) {
        self.format = format
        feeds = inputs.map { LiveFeed($0, format: LiveFormat(.float, format)) }
        gate = LevelGate(threshold: threshold)
        lastFrame = Array(repeating: 0, count: format.channels)
    }

    /// True while audio counts.
    var isArriving: Bool { gate.isOpen }

    /// True if frames are being delivered.
    var isDelivering: Bool { gate.isOpen || closedAt != 0 }

    /// The time at which `wait` has to be called although nothing may have been captured, in nanoseconds, or nil if it
    /// need not be called.
    var deadline: Int? { feeds.compactMap(\.deadline).min() }

    var statistics: LiveStatistics? { feeds.first?.statistics }

    /// The number of frames for which all inputs have room.
    func room(at now: Int) -> Int { feeds.map { $0.room(at: now) }.min() ?? format.rate }

    /// The time in frames of the first input until the newest frame is heard.
    func delay(at now: Int) -> Int { feeds.first?.delay(at: now) ?? 0 }

    /// Accepts frames that have been captured until now.
    /// - Parameters:
    ///   - samples: the frames, interleaved. Their level is changed.
    ///   - now: the time in nanoseconds of CLOCK_MONOTONIC.
    func accept(_ samples: UnsafeMutablePointer<Float>, frames: Int, at now: Int) throws(ResamplerError) {
        var done = 0
        var first = 0
        while done < frames {
            let count = min(frames - done, max(1, format.rate / Self.blocksPerSecond))
            let end = now - nanoseconds(frames - done - count)
            passBlock(samples + done * format.channels, frames: count, from: end - nanoseconds(count), to: end)
            done += count
            if !isDelivering { first = done }
        }
        if first < frames { try deliver(samples + first * format.channels, frames: frames - first, at: now) }
        for feed in feeds { feed.advance(to: now) }
    }

    /// Records that frames have been lost, because the device had no room for them. The audio before them fades out.
    func lose(_ frames: Int, at now: Int) throws(ResamplerError) {
        gain = GainRamp()
        if gate.isOpen { gain.retarget(to: 1, over: format.rate / Self.blocksPerSecond) }
        // If the stream has run dry, the next one fades in anyway.
        guard isDelivering, feeds.contains(where: { $0.isRunning(at: now) }) else { return }
        let fade = Self.fade.frames(atRate: format.rate)
        let count = min(max(frames, fade), room(at: now))
        guard count > 0 else { return }
        var gap = [Float](repeating: 0, count: count * format.channels)
        let length = min(fade, count)
        for frame in 0..<length {
            let factor = Float(length - frame - 1) / Float(length)
            for channel in 0..<format.channels { gap[frame * format.channels + channel] = lastFrame[channel] * factor }
        }
        for feed in feeds { try feed.accept(gap, frames: count, at: now, isContinuous: true) }
        lastFrame = Array(repeating: 0, count: format.channels)
    }

    /// Lets time pass in which the device does not deliver any frames.
    func wait(until now: Int) {
        for feed in feeds { feed.advance(to: now) }
        if gate.wait(until: now) == .closes { close(at: now) }
        endIfSilent(at: now)
    }

    /// Ends the audio, because the device has failed. What has been delivered fades out.
    func end(at now: Int) {
        if gate.isOpen { reports.append(.ceased(at: gate.loudUntil)) }
        gate = LevelGate(threshold: gate.threshold)
        closedAt = 0
    }

    func takeReports() -> [InputReport] {
        defer { reports = [] }
        return reports
    }

    /// Measures a block and applies the gain to it.
    private func passBlock(_ samples: UnsafeMutablePointer<Float>, frames: Int, from start: Int, to end: Int) {
        switch gate.pass(peak: Self.peak(samples, frames * format.channels), from: start, to: end) {
        case .opens:
            reports.append(.arrived(at: start))
            gain.retarget(to: 1, over: frames)
            closedAt = 0
        case .closes: close(at: end)
        case nil: break
        }
        endIfSilent(at: end)
        if isDelivering { applyGain(to: samples, frames: frames) }
    }

    private func close(at now: Int) {
        reports.append(.ceased(at: gate.loudUntil))
        gain.retarget(to: 0, over: format.rate / Self.blocksPerSecond)
        closedAt = now
    }

    /// Stops delivering silence once everything before it has been heard.
    private func endIfSilent(at now: Int) {
        guard closedAt != 0, !gate.isOpen else { return }
        let longest = feeds.map { $0.input.latency }.max() ?? .zero
        guard now - closedAt > (longest + Self.margin).wholeNanoseconds else { return }
        closedAt = 0
        for feed in feeds { feed.endStream() }
    }

    private func applyGain(to samples: UnsafeMutablePointer<Float>, frames: Int) {
        guard !gain.isAtRest || gain.gain != 1 else { return }
        for frame in 0..<frames {
            let factor = gain.next()
            for channel in 0..<format.channels { samples[frame * format.channels + channel] *= factor }
        }
    }

    /// Delivers frames as far as there is room for them.
    private func deliver(
        _ samples: UnsafeMutablePointer<Float>, frames: Int, at now: Int
    ) throws(ResamplerError) {
        let count = min(frames, room(at: now))
        // If the thread has been late, the oldest frames are not needed any more.
        let missing = frames - count
        if missing > 0 { try lose(0, at: now) }
        guard count > 0 else { return }
        let start = samples + missing * format.channels
        if missing > 0 { fadeIn(start, frames: count) }
        for channel in 0..<format.channels { lastFrame[channel] = start[(count - 1) * format.channels + channel] }
        for feed in feeds { try feed.accept(start, frames: count, at: now, isContinuous: true) }
    }

    private func fadeIn(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        let length = min(frames, Self.fade.frames(atRate: format.rate))
        for frame in 0..<length {
            let factor = Float(frame) / Float(length)
            for channel in 0..<format.channels { samples[frame * format.channels + channel] *= factor }
        }
    }

    private static func peak(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        var peak: Float = 0
        for index in 0..<count { peak = max(peak, abs(samples[index])) }
        return peak
    }

    private func nanoseconds(_ frames: Int) -> Int { Duration(frames: frames, rate: format.rate).wholeNanoseconds }
}
