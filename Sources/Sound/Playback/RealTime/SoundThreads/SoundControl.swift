import ALSA
import Time

/// The sounds of a `RealTimeEngine`, as control sees them. This type records which sounds are in memory and which one
/// is to be played. It does not use a clock, files or threads.
struct SoundControl {
    /// A call to `playSound`.
    struct Request {
        let sound: Int
        /// The number of this call.
        let call: Int
        let isCue: Bool
        let repeats: Bool
        let wait: Duration
        /// The times at which the command was given and at which `playSound` was called, in nanoseconds of
        /// CLOCK_MONOTONIC.
        let given: Int
        let requested: Int
        /// The clip to play instead of the sound's own file, or nil to play the file.
        var clip: SoundClip?
        /// The place at which the sound starts and at which it notes where it stops, or nil to start at the first frame.
        var place: SoundPlace?
        /// True if the render thread may still have to write that place.
        var continues = false
    }

    /// A sound to put into the orders.
    struct Ready {
        let sound: OrderedSound
        /// The time before the sound's first frame, in nanoseconds.
        var wait: Int
        /// The rest of the sound, which has to be read while it plays.
        let rest: SoundThread.Rest?
    }

    private struct Opening {
        let rest: SoundThread.Rest
        /// The time at which the opening was ordered, in nanoseconds of CLOCK_MONOTONIC.
        let ordered: Int
        var isOpen = false
    }

    private enum Content {
        case unknown
        case memory(SoundMemory)
        case unreadable
    }

    /// The sound that is to be played.
    private enum Present {
        case none
        /// The sound waits until its file has been read.
        case held(Request)
        /// The sound is in the orders of the render thread. If `isStandIn` is true, the built-in tone is in the orders
        /// while the sound's file is still being read.
        case ordered(Request, OrderedSound, isStandIn: Bool)
    }

    let sounds: [Sound]
    private var contents: [Content]
    /// The format in which the sounds are being read or have been read.
    private(set) var format: StreamFormat
    /// The built-in tone, which is made when it is first needed in this format.
    private var tone: SoundMemory?
    private var present = Present.none
    /// True if the rest of the current sound's file cannot be read, or if too much of it is silent.
    private(set) var isBroken = false
    /// True if the pending sound is a cue whose time limit has ended.
    private var hasTimedOut = false
    /// The clip of the current sound, decoded again because the format has changed since it was loaded.
    private var clipMemory: SoundMemory?
    /// The time at which the decoding of the clip was ordered, in nanoseconds of CLOCK_MONOTONIC, or nil if this was
    /// not ordered.
    private var clipOrdered: Int?
    /// The rest with which the pending sound starts, because it was cut after the part in memory.
    private var opening: Opening?
    /// The earlier sounds that the render thread may still be using.
    private var retired: [OrderedSound] = []

    /// The time limit for reading a file, in nanoseconds. If reading takes longer, the built-in tone replaces a cue,
    /// and an announcement is treated as unreadable.
    private static let timeout = 1_000_000_000

    init(_ sounds: [Sound], format: StreamFormat) {
        self.sounds = sounds
        self.format = format
        contents = sounds.map { _ in .unknown }
    }

    /// The sound in the orders, or nil if there is none.
    var ordered: OrderedSound? { if case .ordered(_, let sound, _) = present { sound } else { nil } }

    /// True if the pending sound starts at a place that the render thread may still have to write.
    var awaitsPlace: Bool {
        if case .held(let request) = present { request.place != nil && request.continues } else { false }
    }

    /// True if a sound is to be played.
    var isBusy: Bool { if case .none = present { false } else { true } }

    /// Adopts the device's format. A sound that is to be played waits until it has been read again.
    /// - Returns: true if all sounds have to be read again.
    mutating func use(_ format: StreamFormat) -> Bool {
        guard format != self.format else { return false }
        self.format = format
        tone = nil
        (clipOrdered, opening) = (nil, nil)
        contents = sounds.map { _ in .unknown }
        if case .ordered(let request, let sound, _) = present {
            retired.append(sound)
            present = .held(request)
        }
        return !sounds.isEmpty
    }

    /// - Returns: the event to report, or nil if the result is in an earlier format.
    mutating func take(_ sound: Int, _ format: StreamFormat, _ result: Result<SoundMemory, DecoderError>)
        -> PlaybackEvent?
    {
        guard format == self.format else { return nil }
        switch result {
        case .success(let memory):
            contents[sound] = .memory(memory)
            // The sound replaces the tone that is being played in its place.
            if case .ordered(let request, let standIn, isStandIn: true) = present, request.sound == sound {
                retired.append(standIn)
                present = .held(request)
            }
            return .soundReadable(sound: sound, length: memory.length, defect: memory.defect)
        case .failure(let reason):
            contents[sound] = .unreadable
            return .soundUnreadable(sound: sound, reason: reason)
        }
    }

    /// - Parameter call: the number of the call to `playSound`.
    /// - Returns: the sound if its clip cannot be played. In this case, the sound has ended.
    mutating func take(clip call: Int, _ format: StreamFormat, _ result: Result<SoundMemory, DecoderError>)
        -> (sound: Int, reason: DecoderError)?
    {
        guard format == self.format, case .held(let request) = present, request.call == call else { return nil }
        switch result {
        case .success(let memory):
            clipMemory = memory
            return nil
        case .failure(let reason):
            present = .none
            return (request.sound, reason)
        }
    }

    /// Returns the clip that has to be decoded again because it was loaded in another format. It is returned only once.
    mutating func takeStaleClip(at now: Int) -> SoundThread.Clip? {
        guard case .held(let request) = present, let clip = request.clip, clipOrdered == nil,
            case .unknown = content(of: request)
        else { return nil }
        clipOrdered = now
        return SoundThread.Clip(clip: clip, call: request.call, format: format)
    }

    private func content(of request: Request) -> Content {
        guard let clip = request.clip else { return contents[request.sound] }
        if clip.memory.format == format { return .memory(clip.memory) }
        if let clipMemory, clipMemory.format == format { return .memory(clipMemory) }
        return .unknown
    }

    /// Withdraws the sound from the device because another device replaces it. The sound then waits to be ordered
    /// again.
    mutating func withdraw() {
        opening = nil
        guard case .ordered(let request, let sound, _) = present else { return }
        retired.append(sound)
        present = .held(request)
    }

    /// Replaces the sound that is to be played.
    mutating func hold(_ request: Request?) {
        if let ordered { retired.append(ordered) }
        isBroken = false
        (clipMemory, clipOrdered, opening) = (nil, nil, nil)
        present = request.map(Present.held) ?? .none
    }

    /// Records that the rest of a sound's file cannot be read, or that too much of it is silent.
    mutating func noteBreak(of sound: Int) {
        if case .ordered(let request, _, isStandIn: false) = present, request.sound == sound { isBroken = true }
    }

    /// The index of the sound that is in the orders, or nil if there is none.
    var orderedSound: Int? { if case .ordered(let request, _, _) = present { request.sound } else { nil } }

    /// The deadline for loading the pending sound's file, in nanoseconds of CLOCK_MONOTONIC, or nil if no sound is
    /// pending.
    var timeoutEnd: Int? {
        guard case .held(let request) = present else { return nil }
        guard case .unknown = content(of: request) else {
            return opening.flatMap { $0.isOpen ? nil : $0.ordered + Self.timeout }
        }
        let start = request.clip == nil ? request.requested : clipOrdered
        return start.map { $0 + Self.timeout }
    }

    /// Returns the rest of the pending sound if the sound starts after the part in memory. It must be opened before the
    /// sound is ordered, and is returned only once. Call this when the place of the sound has been written.
    mutating func takeOpening(at now: Int) -> SoundThread.Rest? {
        guard case .held(let request) = present, opening == nil, case .memory(let memory) = content(of: request),
            case let start = memory.start(at: request.place, repeats: request.repeats),
            needsRest(memory, request, from: start), start > memory.frames
        else { return nil }
        let rest = rest(of: request, memory, from: start)
        opening = Opening(rest: rest, ordered: now)
        return rest
    }

    /// Records that the rest with which the pending sound starts has been opened.
    mutating func noteOpened(_ stream: SoundStream) {
        if opening?.rest.stream === stream { opening?.isOpen = true }
    }

    /// Gives up the pending sound if the rest with which it starts cannot be opened, or is not opened in time.
    /// - Parameter failed: the sound whose rest cannot be opened, or nil if none has failed.
    /// - Returns: the sound and the number of the call to `playSound`.
    mutating func giveUpOpening(at now: Int, failed: Int? = nil) -> (sound: Int, call: Int)? {
        guard case .held(let request) = present, let opening, !opening.isOpen,
            failed == request.sound || now >= opening.ordered + Self.timeout
        else { return nil }
        present = .none
        return (request.sound, request.call)
    }

    private func needsRest(_ memory: SoundMemory, _ request: Request, from start: Int) -> Bool {
        !memory.isWhole && (request.repeats || start < memory.length.frames(atRate: format.rate))
    }

    private func rest(of request: Request, _ memory: SoundMemory, from start: Int) -> SoundThread.Rest {
        let file = request.clip?.file ?? sounds[request.sound].file
        let stream = SoundStream(file, format: format, repeats: request.repeats, fileSize: memory.fileSize)
        return SoundThread.Rest(sound: request.sound, stream: stream, start: start, inMemory: memory.frames)
    }

    /// Stops waiting for a file that takes too long. An announcement ends, and the built-in tone replaces a cue.
    /// - Returns: the sound, which is treated as unreadable until its file has been read, or nil if there is nothing to
    ///   report.
    mutating func giveUpWaiting(at now: Int) -> Int? {
        guard case .held(let request) = present, request.clip == nil, !hasTimedOut, opening == nil,
            let end = timeoutEnd, now >= end
        else { return nil }
        if request.isCue {
            hasTimedOut = true
        } else {
            present = .none
            contents[request.sound] = .unreadable
        }
        return request.sound
    }

    /// Stops waiting for a clip that takes too long to decode again. The sound has then ended.
    /// - Returns: the sound and the number of the call to `playSound`.
    mutating func giveUpClip(at now: Int) -> (sound: Int, call: Int)? {
        guard case .held(let request) = present, request.clip != nil, opening == nil, let end = timeoutEnd, now >= end
        else { return nil }
        present = .none
        return (request.sound, request.call)
    }

    /// Returns the pending sound if its file has been read, or the tone that is played in its place. The caller must
    /// order it.
    mutating func takeReady() -> Ready? {
        guard case .held(var request) = present else { return nil }
        defer { hasTimedOut = false }
        let sound = sounds[request.sound]
        switch content(of: request) {
        case .memory(let memory):
            let start = memory.start(at: request.place, repeats: request.repeats)
            var rest: SoundThread.Rest?
            if needsRest(memory, request, from: start) {
                if start > memory.frames {
                    guard let opening, opening.isOpen else { return nil }
                    rest = opening.rest
                } else {
                    rest = self.rest(of: request, memory, from: start)
                }
            }
            let ordered = OrderedSound(
                memory, stream: rest?.stream, request: request, repeats: request.repeats,
                gain: sound.gain * (request.clip?.gain ?? 1), start: start, place: request.place)
            // If the sound is ordered again, it continues at the place that the render thread has written by then.
            request.continues = true
            opening = nil
            present = .ordered(request, ordered, isStandIn: false)
            return Ready(sound: ordered, wait: request.wait.wholeNanoseconds, rest: rest)
        case .unreadable where request.isCue, .unknown where hasTimedOut:
            let memory = tone ?? SoundMemory.tone(format)
            tone = memory
            let ordered = OrderedSound(memory, stream: nil, request: request, repeats: true, gain: sound.gain)
            let isStandIn = if case .unknown = contents[request.sound] { true } else { false }
            present = .ordered(request, ordered, isStandIn: isStandIn)
            return Ready(sound: ordered, wait: request.wait.wholeNanoseconds, rest: nil)
        case .unknown, .unreadable: return nil
        }
    }

    /// Frees all sounds after the render thread has ended.
    mutating func forgetContents() {
        contents = sounds.map { _ in .unknown }
        present = .none
        (tone, clipMemory, retired) = (nil, nil, [])
    }

    /// Frees the sounds that the render thread no longer uses.
    mutating func freeRetired() { retired = [] }
    var hasRetired: Bool { !retired.isEmpty }

    /// All sounds that the render thread may still be using.
    var inUse: [OrderedSound] { retired + [ordered].compactMap { $0 } }
}
