import ALSA
import CRealTime
import Files
import Threads
import Time

/// The storage thread, which takes frames out of the ring and writes them. It may wait for the disk for several
/// seconds, because the ring holds the frames in the meantime.
final class RecordingThread {
    private let settings: RecorderSettings
    private let exchange: CaptureExchange
    private let inbox: RecorderInbox
    private let wallClock: @Sendable () -> Duration
    private let writer: RecordingWriter
    private let piece: UnsafeMutablePointer<Int32>
    private var format = RecordedFormat(.init(rate: 48_000, channels: 1), bits: 16)
    /// The frame of the capture clock that is written next, then a reference frame, and the time at which the reference
    /// frame was captured, in nanoseconds.
    private var frame = 0
    private var knownFrame = 0
    private var knownTime = 0
    /// The number of frames of silence that are still to be written.
    private var gap = 0
    /// The time since which frames have been waiting for a flush, in nanoseconds, or nil if everything is on the disk.
    private var flushedAt: Int?
    private var failure: RecordingError?
    private var retry: Backoff
    private var retryAt = 0
    private var hasEnded = false

    private static let pieceSamples = 1 << 15
    /// The length of the longest gap that is filled with silence, in seconds. A gap may last for a day.
    private static let longestSilence = 60

    init(
        _ settings: RecorderSettings, exchange: CaptureExchange, inbox: RecorderInbox, calls: any FileCalls,
        wallClock: @escaping @Sendable () -> Duration
    ) {
        self.settings = settings
        self.exchange = exchange
        self.inbox = inbox
        self.wallClock = wallClock
        writer = RecordingWriter(settings, calls: calls)
        piece = .allocate(capacity: Self.pieceSamples)
        piece.initialize(repeating: 0, count: Self.pieceSamples)
        retry = settings.storageRetry
    }

    deinit { piece.deallocate() }

    func run() {
        while !hasEnded {
            exchange.storageTurns.value += 1
            work()
            // This happens only if the recorder stops while the capturing thread hangs inside the device's library.
            let endBy = exchange.endBy.value
            if endBy != 0, !hasEnded, Int(realtime_now()) >= endBy { end() }
            if !hasEnded { exchange.storageBell.wait(pause) }
        }
    }

    /// The time to wait for frames or a mark, or nil to wait indefinitely.
    private var pause: Duration? {
        let now = Int(realtime_now())
        var times: [Int] = []
        if writer.isFailing {
            times.append(retryAt)
        } else if let flushedAt {
            times.append(flushedAt + settings.flushTime)
        }
        if case let endBy = exchange.endBy.value, endBy != 0 { times.append(endBy) }
        return times.min().map { .nanoseconds(max(0, $0 - now)) }
    }

    private func work() {
        while !hasEnded {
            if writer.isFailing, !tryAgain() { return acknowledgeEarly() }
            // Read the index of the ring before the marks, so that the marks that belong before these frames are
            // visible.
            let written = exchange.lines.ring.writeIndex
            let mark = exchange.lines.marks.peek()
            let count = min(mark?.index ?? written, written) - exchange.lines.ring.readIndex
            if gap > 0 {
                fillGap()
            } else if count > 0 {
                writePiece(count)
            } else if let mark {
                exchange.lines.marks.drop()
                handle(mark)
                done(mark)
            } else {
                break
            }
            // After a slow phase of the disk, flush even if there is more to write.
            if let flushedAt, Int(realtime_now()) - flushedAt >= settings.flushTime { flush() }
        }
    }

    // MARK: Frames

    private func writePiece(_ available: Int) {
        let channels = format.stream.channels
        let count = min(available, Self.pieceSamples / channels * channels)
        exchange.lines.ring.read(into: piece, count: count)
        attempt { () throws(RecordingError) in
            try writer.write(UnsafeBufferPointer(start: piece, count: count), format: format, at: time)
        }
        frame += count / channels
        noteUnflushed()
    }

    private func fillGap() {
        let count = min(gap, format.stream.rate)
        attempt { () throws(RecordingError) in try writer.writeSilence(frames: count, format: format, at: time) }
        frame += count
        gap -= count
        noteUnflushed()
    }

    /// The time at which the next frame was captured, according to the wall clock.
    private var time: Duration {
        let captured = knownTime + (frame - knownFrame) * 1_000_000_000 / format.stream.rate
        return wallClock() - .nanoseconds(Int(realtime_now()) - captured)
    }

    private func noteUnflushed() { flushedAt = flushedAt ?? Int(realtime_now()) }

    private func flush() {
        attempt { () throws(RecordingError) in try writer.flush() }
        if !writer.isFailing { flushedAt = nil }
    }

    private func know(_ mark: CaptureMark) { (frame, knownFrame, knownTime) = (mark.frame, mark.frame, mark.time) }

    // MARK: Marks

    private func handle(_ mark: CaptureMark) {
        switch mark.kind {
        case .format: format = PackedFormat.unpack(mark.value)
        case .begin:
            know(mark)
            inbox.post(.recording(order: mark.order, frame: mark.frame))
        case .time: know(mark)
        case .gap:
            inbox.post(.overrun(frames: mark.value))
            know(mark)
            if mark.value <= Self.longestSilence * format.stream.rate {
                gap = mark.value
                frame -= gap
            } else {
                attempt { () throws(RecordingError) in try writer.close(.lost) }
            }
        case .lost: flush()
        case .pause, .sleep: flush()
        case .finish: close(RecordingEnd(rawValue: mark.value) ?? .stopped)
        case .mute: inbox.post(.muted(mark.value != 0, order: mark.order, frames: writer.recordedFrames))
        case .note: break
        case .quit: return end()
        }
        report(mark, isComplete: !writer.isFailing)
    }

    private func close(_ reason: RecordingEnd) {
        attempt { () throws(RecordingError) in try writer.close(reason) }
        if !writer.isFailing { flushedAt = nil }
    }

    private func report(_ mark: CaptureMark, isComplete: Bool) {
        // Return if the order of this mark was already reported while the storage was failing.
        guard mark.order > exchange.doneOrder.value else { return }
        let frames = writer.recordedFrames
        switch mark.kind {
        case .pause:
            inbox.post(.paused(order: mark.order, frames: frames, frame: mark.frame, isComplete: isComplete))
        case .finish: inbox.post(.finished(order: mark.order, frames: frames, isComplete: isComplete))
        case .sleep: inbox.post(.asleep(order: mark.order, frames: frames, isComplete: isComplete))
        default: break
        }
    }

    private func done(_ mark: CaptureMark) {
        if mark.order > exchange.doneOrder.value { exchange.doneOrder.value = mark.order }
    }

    /// Reports the orders of the pending marks while the storage is failing, because an interruption must not wait for
    /// the storage.
    private func acknowledgeEarly() {
        var offset = 0
        while let mark = exchange.lines.marks.peek(offset) {
            report(mark, isComplete: false)
            done(mark)
            if case .quit = mark.kind { return end() }
            offset += 1
        }
    }

    /// Makes a last attempt to write before the recorder stops.
    private func end() {
        hasEnded = true
        close(.shutdown)
        guard writer.isFailing else { return }
        attempt { () throws(RecordingError) in try writer.retry() }
        guard writer.isFailing else { return }
        let waiting = exchange.lines.ring.writeIndex - exchange.lines.ring.readIndex
        let lost = writer.abandon() + gap + waiting / format.stream.channels
        inbox.post(writer.takeEvents(), file: nil)
        inbox.post(.abandoned(frames: lost))
    }

    // MARK: Failures

    /// - Returns: true if the writer has recovered.
    private func tryAgain() -> Bool {
        guard Int(realtime_now()) >= retryAt else { return false }
        attempt { () throws(RecordingError) in try writer.retry() }
        if writer.isFailing { return false }
        flushedAt = nil
        return true
    }

    private func attempt(_ body: () throws(RecordingError) -> Void) {
        let start = Int(realtime_now())
        exchange.busySince.value = start
        do throws(RecordingError) {
            try body()
            if failure != nil {
                failure = nil
                retry.restart()
                inbox.post(.storageRecovered)
            }
        } catch {
            if failure?.reason != error.reason { inbox.post(.storageFailed(error)) }
            failure = error
            retryAt = Int(realtime_now()) + retry.next().wholeNanoseconds
        }
        exchange.busySince.value = 0
        let elapsed = Duration.nanoseconds(Int(realtime_now()) - start)
        if elapsed > settings.slowStorage, exchange.reportedBusy.value != start { inbox.post(.storageSlow(elapsed)) }
        exchange.recorded.value = writer.recordedFrames
        inbox.post(writer.takeEvents(), file: writer.currentFile)
    }
}
