import ALSA
import Synchronization
import Threads

/// The thread that reads sounds into memory, and reads the rest of long sounds while they play. It is separate from the
/// storage thread because an alarm's tone must not be delayed if the disk with the music is lost.
// The conformance is unchecked because this class has variables. This is safe because only its own thread uses them,
// and `mailbox` is protected by a lock.
final class SoundThread: @unchecked Sendable {
    private struct Mailbox {
        /// The format in which to read all sounds.
        var format: StreamFormat?
        /// The new order for the rest to read, or nil if there is no new order. If the inner optional is nil, no rest
        /// is to be read.
        var rest: Rest??
        var clip: Clip?
        var quits = false
    }

    /// The rest of a long sound.
    struct Rest: Sendable {
        let sound: Int
        let stream: SoundStream
        /// The frame with which the sound starts.
        let start: Int
        /// The number of frames in memory.
        let inMemory: Int
    }

    /// A clip to decode again because the device has another format.
    struct Clip: Sendable {
        let clip: SoundClip
        /// The number of the call to `playSound`.
        let call: Int
        let format: StreamFormat
    }

    private let mailbox = Mutex(Mailbox())
    private let bell = WakeUp()
    private let sounds: [Sound]
    private let inbox: EngineInbox
    private var rest: Rest?
    private var hasReportedMutilation = false
    /// The sounds that are still to be read, and the format in which to read them.
    private var remaining: (format: StreamFormat, sounds: ArraySlice<Sound>)?
    /// The interval at which to read ahead. A stream holds several seconds.
    private static let pace = Duration.milliseconds(250)

    init(_ sounds: [Sound], inbox: EngineInbox) {
        self.sounds = sounds
        self.inbox = inbox
    }

    // MARK: For control

    /// Reads all sounds in a format. This replaces an earlier order. Each sound is reported as `soundRead`.
    func read(in format: StreamFormat) {
        mailbox.withLock { $0.format = format }
        bell.ring()
    }

    /// Reads the rest of a sound, or no rest if `rest` is nil. This replaces an earlier order.
    func read(rest: Rest?) {
        mailbox.withLock { $0.rest = .some(rest) }
        bell.ring()
    }

    /// Decodes a clip before everything else. This replaces an earlier order. The result is reported as `clipRead`.
    func read(clip: Clip) {
        mailbox.withLock { $0.clip = clip }
        bell.ring()
    }

    func quit() {
        mailbox.withLock { $0.quits = true }
        bell.ring()
    }

    // MARK: The thread

    func run() {
        while true {
            let news = mailbox.withLock { mailbox in
                defer {
                    mailbox.format = nil
                    mailbox.rest = nil
                    mailbox.clip = nil
                }
                return mailbox
            }
            if news.quits { return }
            if let clip = news.clip { read(again: clip) }
            if let format = news.format { remaining = (format, sounds[...]) }
            if let rest = news.rest { open(rest) }
            readAhead()
            if !readNext() { bell.wait(rest == nil ? nil : Self.pace) }
        }
    }

    /// Reads the next sound into memory.
    /// - Returns: true if there was a sound to read.
    private func readNext() -> Bool {
        guard let (format, left) = remaining, let sound = left.first else {
            remaining = nil
            return false
        }
        remaining = (format, left.dropFirst())
        do {
            inbox.post(.soundRead(left.startIndex, format, .success(try SoundMemory.read(sound, format: format))))
        } catch {
            inbox.post(.soundRead(left.startIndex, format, .failure(error)))
        }
        return true
    }

    private func read(again clip: Clip) {
        do {
            inbox.post(.clipRead(clip.call, clip.format, .success(try clip.clip.read(in: clip.format))))
        } catch {
            inbox.post(.clipRead(clip.call, clip.format, .failure(error)))
        }
    }

    private func open(_ next: Rest?) {
        // The rest was opened before the sound was ordered.
        if let next, next.stream === rest?.stream { return }
        rest = nil
        hasReportedMutilation = false
        guard let next else { return }
        do {
            try next.stream.open(at: next.start, after: next.inMemory)
            rest = next
            if next.start > next.inMemory { inbox.post(.restOpened(next.stream)) }
        } catch {
            inbox.post(.soundBroken(next.sound, error))
        }
    }

    private func readAhead() {
        guard let rest else { return }
        rest.stream.fill()
        if let gap = rest.stream.takeGap() { inbox.post(.soundBroken(rest.sound, gap)) }
        if rest.stream.isMutilated, !hasReportedMutilation {
            hasReportedMutilation = true
            inbox.post(.soundMutilated(rest.sound))
        }
        if let failure = rest.stream.failure { inbox.post(.soundBroken(rest.sound, failure)) }
        if rest.stream.hasEnded || rest.stream.failure != nil { self.rest = nil }
    }
}
