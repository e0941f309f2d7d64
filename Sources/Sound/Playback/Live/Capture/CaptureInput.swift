import ALSA
import CRealTime
import Glibc
import Threads
import Time

/// Receives audio from a capture device and delivers it to live inputs, as far as it is loud enough to count.
///
/// A thread reads the device. The audio of a device that has no frames, such as a loopback whose other end is closed, is
/// silent. A device that is missing, is busy or vanishes is reported, and opened again later.
public final class CaptureInput: InputReceiver {
    /// Starts the thread.
    /// - Parameters:
    ///   - threshold: the least peak that counts, as a linear gain.
    ///   - inputs: the inputs to deliver to, which is one for each engine.
    ///   - folders: the folders in which something appears when the device returns.
    ///   - program: the prefix of the thread's name, at most 7 bytes long.
    public init(
        _ device: PCMAddress, threshold: Float, inputs: [LiveInput], folders: [String] = ["/dev/snd"],
        program: String = "sound"
    ) {
        let mailbox = InputMailbox()
        let reader = CaptureReader(
            device, threshold: threshold, inputs: inputs, folders: folders, mailbox: mailbox)
        super.init(device.name, mailbox, program: program) { reader.run() }
    }
}

/// The thread of a `CaptureInput`.
// The conformance is unchecked because this class has variables. This is safe because only the thread uses them.
private final class CaptureReader: @unchecked Sendable {
    private let mailbox: InputMailbox
    private let device: PCMAddress
    private let threshold: Float
    private let inputs: [LiveInput]
    private var deliveries: [DeliveryWatch]
    private let watch: ReturnWatch
    private var failure: InputError?
    private var retry = Backoff(from: .milliseconds(100), to: .seconds(30))

    /// The time for which an open device must not fail to be considered usable.
    private static let trial = Duration.seconds(1)

    init(_ device: PCMAddress, threshold: Float, inputs: [LiveInput], folders: [String], mailbox: InputMailbox) {
        self.device = device
        self.threshold = threshold
        self.inputs = inputs
        deliveries = inputs.map { DeliveryWatch($0) }
        self.mailbox = mailbox
        watch = ReturnWatch(folders)
    }

    func run() {
        while !mailbox.quits {
            let start = ContinuousClock.now
            do throws(InputError) {
                watch.forget()
                try capture()
            } catch {
                if failure != error { mailbox.report(.failed(error)) }
                failure = error
            }
            // If the device fails at once, the pause must grow, so that this does not become a busy loop.
            if ContinuousClock.now - start > Self.trial { retry.restart() }
            watch.wait(mailbox.bell, &retry) { mailbox.quits }
        }
    }

    /// Captures until the device fails or the thread is to end.
    private func capture() throws(InputError) {
        var stream: CaptureStream
        do throws(PCMError) {
            stream = try CaptureStream(
                device, like: inputs.first?.buffer.format, latency: inputs.map(\.latency).min() ?? .zero,
                quietly: failure != nil)
        } catch {
            throw InputError(error)
        }
        let feed = CaptureFeed(inputs, format: stream.format, threshold: threshold)
        defer {
            feed.end(at: Int(realtime_now()))
            report(feed)
        }
        let start = ContinuousClock.now
        while !mailbox.quits {
            let pause = stream.pause(isUrgent: feed.isDelivering)
            let untilDeadline = feed.deadline.map { max(0, $0 - Int(realtime_now())) } ?? pause
            mailbox.bell.wait(.nanoseconds(min(pause, untilDeadline)))
            mailbox.noteTurn()
            let hasRead = try read(&stream, into: feed)
            if failure != nil, hasRead || ContinuousClock.now - start > Self.trial {
                failure = nil
                mailbox.report(.returned)
            }
            report(feed)
        }
    }

    /// Delivers what has been captured.
    /// - Returns: true if there was anything.
    private func read(_ stream: inout CaptureStream, into feed: CaptureFeed) throws(InputError) -> Bool {
        let progress: (frames: Int, time: Int, lost: Int)
        do throws(PCMFault) { progress = try stream.read() } catch {
            throw InputError(PCMError(error, device: device.name))
        }
        do throws(ResamplerError) {
            if progress.lost > 0 { try feed.lose(progress.lost, at: progress.time) }
            if progress.frames > 0 {
                try feed.accept(stream.samples, frames: progress.frames, at: progress.time)
            } else {
                feed.wait(until: progress.time)
            }
        } catch {
            throw InputError(device.name, .convert, code: 0)
        }
        return progress.frames > 0
    }

    private func report(_ feed: CaptureFeed) {
        mailbox.report(feed.takeReports())
        mailbox.report(deliveries.look(isArriving: feed.isArriving, at: Int(realtime_now())))
        if let statistics = feed.statistics { mailbox.post(statistics) }
    }
}
