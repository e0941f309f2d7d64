import ALSA

/// The sounds of a `RealTimeEngine`, as control knows them: which are in memory, and which one is to be heard. Pure, but for
/// the memory it holds.
struct SoundControl {
    /// A call of `playSound`.
    struct Request {
        let sound: Int
        let number: Int
        let isCue: Bool
        let repeats: Bool
        let wait: Duration
        /// In nanoseconds on CLOCK_MONOTONIC.
        let given: Int
    }

    private enum Content {
        case unknown
        case memory(SoundMemory)
        case unreadable
    }

    /// The sound that is to be heard.
    private enum Present {
        case none
        /// It waits until its file has been read.
        case held(Request)
        /// It is in the orders of the render thread.
        case ordered(Request, OrderedSound)
    }

    let sounds: [Sound]
    private var contents: [Content]
    /// The format in which the sounds are being read, or have been.
    private var format: StreamFormat
    private var present = Present.none
    /// Earlier sounds that the render thread can still be using.
    private var retired: [OrderedSound] = []

    /// A cue whose file takes longer than this to read is replaced by the built-in tone; in nanoseconds.
    private static let patience = 1_000_000_000

    init(_ sounds: [Sound], format: StreamFormat) {
        self.sounds = sounds
        self.format = format
        contents = sounds.map { _ in .unknown }
    }

    /// The sound in the orders; nil if there is none.
    var ordered: OrderedSound? { if case .ordered(_, let sound) = present { sound } else { nil } }

    /// Whether a sound is to be heard.
    var isBusy: Bool { if case .none = present { false } else { true } }

    /// Takes note of the device's format. A sound that is to be heard waits until it has been read again.
    /// - Returns: whether all sounds have to be read again.
    mutating func use(_ format: StreamFormat) -> Bool {
        guard format != self.format else { return false }
        self.format = format
        contents = sounds.map { _ in .unknown }
        if case .ordered(let request, let sound) = present {
            retired.append(sound)
            present = .held(request)
        }
        return !sounds.isEmpty
    }

    /// - Returns: the event to report; nil if the result is of an earlier format.
    mutating func take(_ sound: Int, _ format: StreamFormat, _ result: Result<SoundMemory, DecoderError>)
        -> PlaybackEvent?
    {
        guard format == self.format else { return nil }
        switch result {
        case .success(let memory):
            contents[sound] = .memory(memory)
            return .soundReadable(sound: sound, length: memory.length)
        case .failure(let reason):
            contents[sound] = .unreadable
            return .soundUnreadable(sound: sound, reason: reason)
        }
    }

    /// Replaces the sound that is to be heard.
    mutating func hold(_ request: Request?) {
        if let ordered { retired.append(ordered) }
        present = request.map(Present.held) ?? .none
    }

    /// The sound that has waited until now, if its file has been read; the caller orders it.
    mutating func takeReady(at now: Int) -> (request: Request, sound: OrderedSound, framesInMemory: Int)? {
        guard case .held(let request) = present else { return nil }
        let memory: SoundMemory
        let isTone: Bool
        switch contents[request.sound] {
        case .memory(let read): (memory, isTone) = (read, false)
        case .unreadable where request.isCue: (memory, isTone) = (.tone(format), true)
        case .unknown where request.isCue && now - request.given > Self.patience:
            (memory, isTone) = (.tone(format), true)
        case .unknown, .unreadable: return nil
        }
        let sound = sounds[request.sound]
        let repeats = request.repeats || isTone
        let stream = memory.isWhole ? nil : SoundStream(sound.file, format: format, repeats: repeats)
        let ready = OrderedSound(
            memory, stream: stream, number: request.number, given: request.given, repeats: repeats, gain: sound.gain)
        present = .ordered(request, ready)
        return (request, ready, memory.frames)
    }

    /// Frees the sounds that the render thread no longer uses.
    mutating func freeRetired() { retired = [] }
    var hasRetired: Bool { !retired.isEmpty }

    /// Every sound that the render thread can still be using.
    var inUse: [OrderedSound] { retired + [ordered].compactMap { $0 } }
}
