import ALSA

/// Decides which of the blocks that libFLAC delivers are in their places, and how many silent frames stand for those that
/// are missing. Pure.
///
/// Places are the numbers that the frames' headers give their first samples.
struct FLACSequence {
    /// What STREAMINFO says.
    struct Info {
        let format: StreamFormat
        /// The number of samples; 0 is unknown.
        let total: Int
        /// How many samples each number of a frame counts.
        let numbered: Int
    }

    /// What is known before the first block.
    struct Head {
        /// The size of the file, in bytes.
        let size: Int
        /// Nil without STREAMINFO.
        var info: Info?
        /// The offset at which the first frame should be.
        var sound = 0
        /// True if pages of an Ogg container are missing there.
        var isDamaged = false
    }

    struct Block {
        let format: StreamFormat
        /// The number of its first sample.
        let first: Int
        let count: Int
        /// The offset of what follows it in the file.
        let rest: Int
    }

    enum Verdict: Equatable {
        /// It follows this many silent frames.
        case play(after: Int)
        /// It is not played, nor, if `all`, what libFLAC has delivered before it in the same step.
        case leaveOut(all: Bool)
    }

    /// Why the sound ends before the file does.
    enum End: Equatable {
        case change(to: StreamFormat)
        case anotherStream
    }

    /// Frames that are missing: the number of the first one, why, and how many are silent.
    struct Gap: Equatable {
        let number: Int
        let words: String
        var silence = 0
    }

    /// What libFLAC said last.
    struct Fault {
        /// About frames that it cannot decode.
        var words: String?
        /// True if a frame with a wrong checksum may be delivered next, as silence: nothing in it is certain, not even its
        /// header.
        var isDelivered = false
    }

    /// Blocks that are not played.
    private struct Strangers {
        /// How many have come since the last block in its place whose numbers are too low: at the end, another stream.
        var misplaced = 0
        /// True if frames of another file have been left out since then.
        var areForeign = false
        /// How many bytes have been searched to find out.
        var searched = 0
    }

    /// One call of libFLAC: how many blocks it has delivered, and what `next` was before it.
    private struct Step {
        var deliveries = 0
        var next: Int?
    }

    var head: Head
    var fault = Fault()
    /// Of the first block; nil before it.
    private(set) var format: StreamFormat?
    var end: End?
    /// The number that the first frame of the file has or, if others stand in its place, should have: not 0 in a part of a
    /// longer recording.
    private(set) var origin = 0
    /// The number of the last block in its place.
    private(set) var number = 0
    /// The number of the sample that should be delivered next; nil if it is not known.
    private(set) var next: Int?
    private var longest = 0
    private var strangers = Strangers()
    private var step = Step()
    private var gap: Gap?
    /// The number up to which silent frames have been counted in gaps.
    private var counted = 0

    /// In bytes, of all searches for frames after a stray: hostile files could have one after each other.
    private static let longestSearch = 256 << 20
    /// In frames. A longer gap would be a wrong number.
    private static let longestGap = 60 * 768_000
    private static let misplacement = "a frame is not in its place"
    static let absence = "frames are missing"

    init(size: Int) { head = Head(size: size) }

    /// The number of samples in the file; nil if it is not known.
    var total: Int? { head.info.flatMap { $0.total > 0 ? $0.total : nil } }

    /// True if all samples of the header have been delivered.
    var isComplete: Bool { total.flatMap { total in next.map { $0 >= origin + total } } ?? false }

    /// True if blocks have come since the last one in its place.
    var hasMisplaced: Bool { strangers.misplaced > 0 }

    /// True if the last block was the first one that is not in its place.
    var hasJustMisplaced: Bool { strangers.misplaced == 1 }

    /// Continues anywhere, after a search.
    /// - Parameter next: the number of the sample that should be delivered next; nil if it is not known.
    mutating func move(to next: Int? = nil) {
        (self.next, fault, end, counted) = (next, Fault(), nil, 0)
        strangers = Strangers(searched: strangers.searched)
        beginStep()
    }

    mutating func takeGap() -> Gap? {
        defer { gap = nil }
        return gap
    }

    // MARK: Steps

    mutating func beginStep() { step = Step(next: next) }

    /// True if libFLAC 1.4 has filled a gap. The block after it is not reliable.
    var hasFilledGap: Bool { step.deliveries > 1 && head.info != nil }

    /// The last block will be delivered again.
    mutating func beginRepetition() {
        (next, fault.isDelivered) = (number, false)
        step.deliveries = 0
    }

    mutating func endRepetition() { fault = Fault() }

    /// The last block has not been delivered again, and its frames are silent.
    mutating func omit(_ number: Int, count: Int) {
        next = number
        note(Self.absence, silence: count)
        next = number + count
    }

    // MARK: Blocks

    /// - Parameters:
    ///   - isSilent: true if all of its samples are 0.
    ///   - source: the file, in which frames are searched for.
    mutating func take(_ block: Block, isSilent: @autoclosure () -> Bool, in source: some ByteSource) -> Verdict {
        step.deliveries += 1
        if fault.isDelivered {
            fault.isDelivered = false
            if isSilent() { return .leaveOut(all: false) }
        }
        guard end == nil else { return .leaveOut(all: false) }
        // Of several blocks, the last one is from the file.
        if step.deliveries > 1 { next = step.next }
        if isStray(block, source) {
            strangers.areForeign = true
            // The file begins with frames that are missing.
            if format == nil { next = 0 }
            return .leaveOut(all: step.deliveries > 1)
        }
        if let format, format != block.format {
            end = .change(to: block.format)
            return .leaveOut(all: false)
        }
        return place(block)
    }

    private mutating func place(_ block: Block) -> Verdict {
        let limit = format == nil ? nil : total.map { origin + $0 }
        if format == nil { begin(with: block) }
        format = block.format
        guard let missing = missing(before: block, limit: limit) else {
            if let next, block.first < next { strangers.misplaced += 1 } else { note(Self.misplacement) }
            return .leaveOut(all: step.deliveries > 1)
        }
        if strangers.misplaced > 0 || strangers.areForeign {
            note(Self.misplacement, silence: missing)
        } else if missing > 0 {
            note(fault.words ?? Self.absence, silence: missing)
        }
        strangers = Strangers(searched: strangers.searched)
        (number, next, longest) = (block.first, block.first + block.count, max(longest, block.count))
        return .play(after: missing)
    }

    private mutating func begin(with block: Block) {
        if next == nil, isStartMissing(before: block) { next = 0 }
        origin = next ?? block.first
    }

    /// Whether damage is the reason why the first frame is not number 0. A part of a longer recording begins at another
    /// one, too: there, far more frames are missing than fit into the bytes before it, and no total counts them.
    private func isStartMissing(before block: Block) -> Bool {
        guard let info = head.info, block.first > 0, block.count > 0, fault.words != nil || head.isDamaged else {
            return false
        }
        let isCounted = info.total > 0 && block.first <= info.total - block.count
        let frame = isCounted ? Self.leastFrame : Self.usualFrame
        return block.first / block.count <= 1 + (block.rest - head.sound) / frame
    }

    /// In bytes: a frame of digital silence, and a short one of sound.
    private static let leastFrame = 16
    private static let usualFrame = 1024

    /// The number of samples that are missing before a block.
    /// - Parameter limit: the number after the last sample; nil if it is not known.
    /// - Returns: nil if its number cannot be right.
    private func missing(before block: Block, limit: Int?) -> Int? {
        guard let next, block.first != next else { return 0 }
        // Without the file's header, libFLAC does not know where a shorter frame begins.
        if head.info == nil, block.count < longest { return 0 }
        guard block.first > next, block.first - next <= Self.longestGap, block.first + block.count <= limit ?? .max
        else { return nil }
        return block.first - next
    }

    private mutating func note(_ words: String, silence: Int = 0) {
        let start = next ?? number
        gap = gap ?? Gap(number: start, words: words)
        // The gap before a block that is decoded again counts once.
        gap?.silence += min(silence, max(0, start + silence - counted))
        counted = max(counted, start + silence)
    }

    /// Whether a frame is of another file, although it is whole: a file system that was not closed can show that file's
    /// blocks in the place of this one's. Frames that would be before it, or of the format that is expected, then follow.
    private mutating func isStray(_ block: Block, _ source: some ByteSource) -> Bool {
        guard next != nil || format == nil, strangers.searched < Self.longestSearch else { return false }
        let (expected, start) = (format ?? head.info?.format ?? block.format, next ?? 0)
        let end = block.format == expected ? block.first : start + Self.longestGap
        // Without the file's header, libFLAC does not know where a shorter frame begins.
        guard end > start, head.info != nil || block.format != expected || block.count >= longest else { return false }
        let unit = head.info?.numbered ?? max(longest, block.count)
        strangers.searched += min(FLACSearch.reach, head.size)
        // One could be there by chance, and the first frame decides about all others.
        var found = format == nil ? -1 : 0
        return FLACSearch.first(in: source, from: block.rest) {
            if $0.fits(expected), (start..<end).contains($0.sample(unit)) { found += 1 }
            return found > 0
        } != nil
    }
}
