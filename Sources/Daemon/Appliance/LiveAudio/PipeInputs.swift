import AudioSession
import Configuration
import Glibc
import Playback
import Systemd

/// The inputs that other programs feed through pipes. Their threads read the pipes, and the loop receives their reports.
final class PipeInputs {
    /// The inputs for the engine, in the order of the configuration.
    let inputs: [LiveInput]
    private var pipes: [PipeInput] = []
    private var sources: [EventSource] = []
    /// Called when audio begins to arrive at an input, or ceases.
    var onArrival: (InputID, Bool) -> Void = { _, _ in }
    /// Called when an input cannot be used, with the reason, or when it can be used again, with nil.
    var onProblem: (InputID, String?) -> Void = { _, _ in }

    /// Opens the pipes.
    init(_ configuration: Configuration, in loop: EventLoop) throws(SystemdError) {
        inputs = configuration.inputs.map { LiveInput($0.id.rawValue, latency: $0.latency) }
        for (settings, input) in zip(configuration.inputs, inputs) where settings.isReadByDaemon {
            guard case .pipe(let path, let samples) = settings.origin,
                let format = try? LiveFormat("\(samples)")
            else { continue }
            let pipe = PipeInput(path, format: format, group: Self.group, inputs: [input], program: "tacet")
            pipes.append(pipe)
            sources.append(
                try loop.whenReadable(pipe.descriptor) { [unowned self, unowned pipe] in
                    for report in pipe.takeReports() { take(report, of: settings.id) }
                })
        }
    }

    /// Returns the peak of what has just arrived at an input, where 1 is full scale.
    func peak(of input: InputID) -> Float { inputs.first { $0.name == input.rawValue }?.peak ?? 0 }

    /// Closes the pipes, so that a successor can open them.
    func close() {
        sources = []
        for pipe in pipes { pipe.stop(within: .seconds(1)) }
        pipes = []
    }

    private func take(_ report: InputReport, of input: InputID) {
        switch report {
        case .arrived: onArrival(input, true)
        case .ceased: onArrival(input, false)
        case .failed(let error): onProblem(input, "\(error)")
        case .returned: onProblem(input, nil)
        }
    }

    /// The group whose members may write to the pipes, which is that of the service.
    private static var group: gid_t? { getgrnam("tacet")?.pointee.gr_gid }
}

extension InputSettings {
    /// True if the daemon reads the input. The others can only be rehearsed.
    public var isReadByDaemon: Bool {
        guard case .pipe = origin else { return false }
        return policy.role != .page
    }
}
