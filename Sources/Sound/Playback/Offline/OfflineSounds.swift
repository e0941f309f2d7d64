import ALSA

/// The sounds of an `OfflineEngine`, including the one that is playing. A sound is read in a device's format when it is
/// needed.
final class OfflineSounds {
    /// The sound that is playing.
    struct Order {
        let sound: Int
        let clip: SoundClip?
        let number: Int
        let isCue: Bool
        let repeats: Bool
        let place: SoundPlace?
        let memory: SoundMemory
        let stream: SoundStream?
    }

    private let sounds: [Sound]
    private let events: EventLog
    private var memories: [SoundMemory?]
    private var failures: [DecoderError?]
    private(set) var order: Order?
    private var hasReportedFailure = false

    /// Reads all sounds in a format and reports each of them.
    init(_ sounds: [Sound], format: StreamFormat, events: EventLog) {
        self.sounds = sounds
        self.events = events
        memories = Array(repeating: nil, count: sounds.count)
        failures = memories.map { _ in nil }
        for sound in sounds.indices {
            switch memory(of: sound, in: format) {
            case .success(let memory):
                events.append(.soundReadable(sound: sound, length: memory.length, defect: memory.defect))
            case .failure(let reason): events.append(.soundUnreadable(sound: sound, reason: reason))
            }
        }
    }

    /// Returns a reader of a sound in a format, which starts at its place or, if it does not have one, at its first frame.
    /// It becomes the sound that is playing.
    /// - Parameter clip: the clip to play instead of the sound's own file, or nil.
    /// - Returns: nil if the sound cannot be read and is not a cue.
    func begin(
        _ sound: Int, clip: SoundClip? = nil, number: Int, isCue: Bool, repeats: Bool, at place: SoundPlace?,
        in format: StreamFormat
    ) -> SoundReader? {
        take(sound, clip, number: number, isCue: isCue, repeats: repeats, at: place, in: format)
    }

    /// Returns a reader of the sound that is playing, in another format and from a frame on, or nil if no sound is
    /// playing.
    func again(in format: StreamFormat, from frame: Int) -> SoundReader? {
        guard let order else { return nil }
        return take(
            order.sound, order.clip, number: order.number, isCue: order.isCue, repeats: order.repeats, at: order.place,
            in: format,
            from: frame)
    }

    func end() { order = nil }

    /// Reads the playing sound ahead.
    func fill() {
        guard let order, let stream = order.stream else { return }
        stream.fill()
        if let gap = stream.takeGap() { events.append(.soundBroken(sound: order.sound, reason: gap)) }
        guard let failure = stream.failure, !hasReportedFailure else { return }
        hasReportedFailure = true
        events.append(.soundBroken(sound: order.sound, reason: failure))
    }

    private func take(
        _ sound: Int, _ clip: SoundClip?, number: Int, isCue: Bool, repeats: Bool, at place: SoundPlace?,
        in format: StreamFormat, from frame: Int? = nil
    ) -> SoundReader? {
        let memory: SoundMemory
        var (repeats, place) = (repeats, place)
        switch clip.map({ self.memory(of: $0, in: format) }) ?? self.memory(of: sound, in: format) {
        case .success(let read): memory = read
        case .failure:
            guard isCue else { return nil }
            memory = .tone(format)
            repeats = true
            // The tone always starts at its beginning.
            place = nil
        }
        let start = frame ?? memory.start(at: place, repeats: repeats)
        var stream: SoundStream?
        hasReportedFailure = false
        if !memory.isWhole, repeats || memory.length.frames(atRate: format.rate) > start {
            let rest = SoundStream(
                clip?.file ?? sounds[sound].file, format: format, repeats: repeats, fileSize: memory.fileSize)
            // If the rest of the sound cannot be opened, the sound breaks off.
            do { try rest.open(at: start, after: memory.frames) } catch {
                events.append(.soundBroken(sound: sound, reason: error))
                hasReportedFailure = true
            }
            stream = rest
        }
        order = Order(
            sound: sound, clip: clip, number: number, isCue: isCue, repeats: repeats, place: place, memory: memory,
            stream: stream)
        return SoundReader(
            samples: memory.samples, channels: format.channels, frames: memory.frames, repeats: repeats,
            gain: sounds[sound].gain * (clip?.gain ?? 1), rest: stream?.rest, start: start,
            mark: place?.mark ?? SoundMark())
    }

    private func memory(of clip: SoundClip, in format: StreamFormat) -> Result<SoundMemory, DecoderError> {
        if clip.memory.format == format { return .success(clip.memory) }
        do throws(DecoderError) { return .success(try clip.read(in: format)) } catch { return .failure(error) }
    }

    private func memory(of sound: Int, in format: StreamFormat) -> Result<SoundMemory, DecoderError> {
        if let failure = failures[sound] { return .failure(failure) }
        if let memory = memories[sound], memory.format == format { return .success(memory) }
        do {
            let memory = try SoundMemory.read(sounds[sound], format: format)
            memories[sound] = memory
            return .success(memory)
        } catch {
            failures[sound] = error
            return .failure(error)
        }
    }
}
