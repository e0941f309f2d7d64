import ALSA

/// Decides which of the blocks that libFLAC delivers are at the right position, and how many silent frames replace the
/// missing ones. This type is pure.
///
/// A position is the number of a block's first sample, according to the header of its frame.
struct FLACSequence {
    /// The contents of STREAMINFO.
    struct Info {
        let format: StreamFormat
        /// The number of samples, or 0 if this number is unknown.
        let total: Int
        /// The number of samples by which the number of a frame must be multiplied.
        let numbered: Int
    }

    /// The information that is known before the first block.
    struct Head {
        /// The size of the file in bytes.
        let size: Int
        /// The contents of STREAMINFO, or nil if there is none.
        var info: Info?
        /// The offset at which the first frame should be.
        var sound = 0
        /// True if pages of the Ogg container are missing before the first frame.
        var isDamaged = false
    }

    struct Block {
        let format: StreamFormat
        /// The number of the block's first sample.
        let first: Int
        let count: Int
        /// The offset of the part of the file that follows this block.
        let rest: Int
    }

    enum Verdict: Equatable {
        /// The block is played after this many silent frames.
        case play(after: Int)
        /// The block is not played. If `all` is true, the blocks that libFLAC has delivered before it in the same step
        /// are not played either.
        case leaveOut(all: Bool)
    }

    /// The reason why the sound ends before the end of the file.
    enum End: Equatable {
        case change(to: StreamFormat)
        case anotherStream
    }

    /// Missing frames. A gap consists of the number of the first missing frame, the reason, and the number of silent
    /// frames.
    struct Gap: Equatable {
        let number: Int
        let words: String
        var silence = 0
    }

    /// The last error that libFLAC has reported.
    struct Fault {
        /// A description of frames that libFLAC cannot decode.
        var words: String?
        /// True if a frame with a wrong checksum may be delivered next, as silence. Nothing in it is reliable,
        /// including its header.
        var isDelivered = false
    }

    /// The blocks that are not played.
    private struct Strangers {
        /// The number of blocks that have been delivered since the last block at the right position and whose numbers
        /// are too low. If the file ends after them, they are another stream.
        var misplaced = 0
        /// True if frames of another file have been omitted since the last block at the right position.
        var areForeign = false
        /// The number of bytes that have been searched for frames of other files.
        var searched = 0
    }

    /// A call to libFLAC, with the number of blocks that libFLAC has delivered and the value of `next` before the call.
    private struct Step {
        var deliveries = 0
        var next: Int?
    }

    var head: Head
    var fault = Fault()
    /// The format of the first block, or nil before there is one.
    private(set) var format: StreamFormat?
    var end: End?
    /// The number of the first frame of the file or, if other frames are in its place, the number that it should have.
    /// In a part of a longer recording, this is not 0.
    private(set) var origin = 0
    /// The number of the last block at the right position.
    private(set) var number = 0
    /// The number of the sample that should be delivered next, or nil if it is not known.
    private(set) var next: Int?
    private var longest = 0
    private var strangers = Strangers()
    private var step = Step()
    private var gap: Gap?
    /// The number up to which silent frames have been counted in gaps.
    private var counted = 0

    /// The maximum total length of all searches for frames after a stray frame, in bytes. It is limited because a
    /// hostile file may contain any number of stray frames.
    private static let longestSearch = 256 << 20
    /// The length of the longest gap, in frames. A longer gap would indicate a wrong number.
    private static let longestGap = 60 * 768_000
    private static let misplacement = "a frame is not in its place"
    static let absence = "frames are missing"

    init(size: Int) { head = Head(size: size) }

    /// The number of samples in the file, or nil if it is not known.
    var total: Int? { head.info.flatMap { $0.total > 0 ? $0.total : nil } }

    /// True if all samples that the header announces have been delivered.
    var isComplete: Bool { total.flatMap { total in next.map { $0 >= origin + total } } ?? false }

    /// True if blocks at wrong positions have been delivered since the last block at the right position.
    var hasMisplaced: Bool { strangers.misplaced > 0 }

    /// True if the last block was the first one at a wrong position.
    var hasJustMisplaced: Bool { strangers.misplaced == 1 }

    /// Continues at any position after a search.
    /// - Parameter next: the number of the sample that should be delivered next, or nil if it is not known.
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

    /// True if libFLAC 1.4 has filled a gap. The block after the gap is not reliable.
    var hasFilledGap: Bool { step.deliveries > 1 && head.info != nil }

    /// Prepares for the last block to be delivered again.
    mutating func beginRepetition() {
        (next, fault.isDelivered) = (number, false)
        step.deliveries = 0
    }

    mutating func endRepetition() { fault = Fault() }

    /// Records that the last block has not been delivered again, and that its frames are silent.
    mutating func omit(_ number: Int, count: Int) {
        next = number
        note(Self.absence, silence: count)
        next = number + count
    }

    // MARK: Blocks

    /// - Parameters:
    ///   - isSilent: true if all samples of the block are 0.
    ///   - source: the file, in which the function searches for frames.
    mutating func take(_ block: Block, isSilent: @autoclosure () -> Bool, in source: some ByteSource) -> Verdict {
        step.deliveries += 1
        if fault.isDelivered {
            fault.isDelivered = false
            if isSilent() { return .leaveOut(all: false) }
        }
        guard end == nil else { return .leaveOut(all: false) }
        // If there are several blocks, only the last one comes from the file.
        if step.deliveries > 1 { next = step.next }
        if isStray(block, source) {
            strangers.areForeign = true
            // The first frames of the file are missing.
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

    /// Returns true if damage is the reason why the first frame does not have the number 0. A part of a longer
    /// recording also begins with another number. In that case, however, far more frames are missing than would fit
    /// into the bytes before the first frame, and the total does not include them.
    private func isStartMissing(before block: Block) -> Bool {
        guard let info = head.info, block.first > 0, block.count > 0, fault.words != nil || head.isDamaged else {
            return false
        }
        let isCounted = info.total > 0 && block.first <= info.total - block.count
        let frame = isCounted ? Self.leastFrame : Self.usualFrame
        return block.first / block.count <= 1 + (block.rest - head.sound) / frame
    }

    /// The sizes of a frame of digital silence and of a short frame of sound, in bytes.
    private static let leastFrame = 16
    private static let usualFrame = 1024

    /// Returns the number of samples that are missing before a block.
    /// - Parameter limit: the number after the last sample, or nil if it is not known.
    /// - Returns: nil if the number of the block cannot be right.
    private func missing(before block: Block, limit: Int?) -> Int? {
        guard let next, block.first != next else { return 0 }
        // Without the file's header, libFLAC cannot determine where a shorter frame begins.
        if head.info == nil, block.count < longest { return 0 }
        guard block.first > next, block.first - next <= Self.longestGap, block.first + block.count <= limit ?? .max
        else { return nil }
        return block.first - next
    }

    private mutating func note(_ words: String, silence: Int = 0) {
        let start = next ?? number
        gap = gap ?? Gap(number: start, words: words)
        // If a block is decoded again, count the gap before it only once.
        gap?.silence += min(silence, max(0, start + silence - counted))
        counted = max(counted, start + silence)
    }

    /// Returns true if a frame belongs to another file, although it is complete. After a power cut, the file may
    /// contain blocks of another file. In that case, the frame is followed by frames with lower numbers or with the
    /// expected format.
    private mutating func isStray(_ block: Block, _ source: some ByteSource) -> Bool {
        guard next != nil || format == nil, strangers.searched < Self.longestSearch else { return false }
        let (expected, start) = (format ?? head.info?.format ?? block.format, next ?? 0)
        let end = block.format == expected ? block.first : start + Self.longestGap
        // Without the file's header, libFLAC cannot determine where a shorter frame begins.
        guard end > start, head.info != nil || block.format != expected || block.count >= longest else { return false }
        let unit = head.info?.numbered ?? max(longest, block.count)
        strangers.searched += min(FLACSearch.reach, head.size)
        // A single frame may occur by chance, and the first frame determines the format of all other frames.
        var found = format == nil ? -1 : 0
        return FLACSearch.first(in: source, from: block.rest) {
            if $0.fits(expected), (start..<end).contains($0.sample(unit)) { found += 1 }
            return found > 0
        } != nil
    }
}
