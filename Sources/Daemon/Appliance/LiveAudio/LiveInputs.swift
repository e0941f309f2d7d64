import ALSA
import AudioSession
import Configuration
import Glibc
import Playback
import Systemd

/// The live inputs of all kinds. Their threads receive the audio, and the loop receives their reports.
final class LiveInputs {
    /// The inputs for the engine, in the order of the configuration.
    let inputs: [LiveInput]
    private var receivers: [InputReceiver] = []
    private var sources: [EventSource] = []
    /// Called when audio begins to arrive at an input, or ceases, with the time on CLOCK_MONOTONIC at which it did.
    var onArrival: (InputID, Bool, Duration) -> Void = { _, _, _ in }
    /// Called when an input cannot be used, with the reason, or when it can be used again, with nil.
    var onProblem: (InputID, String?) -> Void = { _, _ in }
    /// Called when nothing is heard of what arrives at an input that is played, with false, and when this is over, with
    /// true.
    var onDelivery: (InputID, Bool) -> Void = { _, _ in }

    /// Opens the pipes and devices.
    init(_ configuration: Configuration, in loop: EventLoop) throws(SystemdError) {
        inputs = configuration.inputs.map { LiveInput($0.id.rawValue, latency: $0.latency) }
        for (settings, input) in zip(configuration.inputs, inputs) {
            let receiver = settings.receiver(for: input)
            receivers.append(receiver)
            sources.append(
                try loop.whenReadable(receiver.descriptor) { [unowned self, unowned receiver] in
                    for report in receiver.takeReports() { take(report, of: settings.id) }
                })
        }
    }

    /// Returns the peak of what has just arrived at an input, where 1 is full scale.
    func peak(of input: InputID) -> Float { inputs.first { $0.name == input.rawValue }?.peak ?? 0 }

    /// Closes the pipes and devices, so that a successor can open them.
    func close() {
        sources = []
        for receiver in receivers { receiver.stop(within: .seconds(1)) }
        receivers = []
    }

    private func take(_ report: InputReport, of input: InputID) {
        switch report {
        case .arrived(let time): onArrival(input, true, .nanoseconds(time))
        case .ceased(let time): onArrival(input, false, .nanoseconds(time))
        case .failed(let error): onProblem(input, "\(error)")
        case .returned: onProblem(input, nil)
        case .unheard: onDelivery(input, false)
        case .heard: onDelivery(input, true)
        }
    }
}

extension InputSettings {
    /// Starts to receive the audio of the input.
    fileprivate func receiver(for input: LiveInput) -> InputReceiver {
        switch origin {
        case .pipe(let path, let format):
            PipeInput(path, format: format, writers: Self.writers, inputs: [input], program: "tacet")
        // tacet-stream(8) writes to the pipe of a stream, which is in the service's folder.
        case .stream:
            PipeInput(
                streamPath, format: Self.streamedFormat, writers: Self.writers, inputs: [input], program: "tacet")
        case .alsa(let device, let threshold):
            CaptureInput(PCMAddress(device), threshold: threshold.gain, inputs: [input], program: "tacet")
        }
    }

    /// The path of the pipe of a stream.
    var streamPath: String { "\(Self.folder)/\(id)" }

    /// The folder of the pipes of streams, which the service creates. A test names another one.
    private static var folder: String {
        getenv("TACET_INPUTS").map { String(cString: $0) } ?? "/run/tacet/inputs"
    }

    /// The groups whose members may write to the pipes. Members of the first one may also control Tacet, so it is only for
    /// programs that were set up before the second one existed.
    private static var writers: PipeWriters {
        func group(_ name: String) -> gid_t? { getgrnam(name)?.pointee.gr_gid }
        return PipeWriters(group: group("tacet"), others: group("tacet-inputs"))
    }
}
