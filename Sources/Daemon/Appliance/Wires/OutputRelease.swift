import AudioSession
import Clocks
import Configuration
import GPIO
import Glibc
import Threads
import Time

/// Sets the lines of all outputs to their deasserted level in place of a daemon that has died or has not started yet.
/// This is necessary because some kernels, such as a Raspberry Pi's, and most expanders keep the last level of a line
/// that is no longer held, and because a board may start with such a level.
///
/// `run` blocks, but not longer than `timeout` for each of the two configurations, because a separate thread drives the
/// lines of each chip. A chip that does not answer delays neither the other chips nor the end.
public enum OutputRelease {
    /// The pauses before another attempt to drive a line that exists. A line is busy, for example, until the kernel has
    /// closed the files of a process that has died, and cannot be opened before udev has set its permissions.
    private static let pauses: [Duration] = [50, 100, 200, 400].map { .milliseconds($0) }
    /// The time after which a chip counts as one that does not answer. It is longer than all pauses together.
    private static let timeout = Duration.seconds(2)

    /// The functions of the system that this uses. Tests replace them.
    struct Host: Sendable {
        var scan: @Sendable () -> Board = { Board.scan() }
        /// Creates a writer for the lines of one chip. It is called on the thread of this chip.
        var writer: @Sendable () -> LineWriter<OutputID> = { LineWriter(consumer: "tacet", advice: Wiring.advice) }
        var pause: @Sendable (Duration) -> Void = { usleep(UInt32($0.wholeMicroseconds)) }
        /// Returns the answer of the chip with this path, or nil if it does not answer in this time.
        var wait: @Sendable (_ path: String, ChipThread, Duration) -> Answer? = { $1.takeOutcome(within: $2) }
    }

    typealias ChipThread = MailboxThread<[Output], Answer>

    enum Answer: Sendable {
        /// The problems of the lines that could not be driven.
        case driven([OutputID: GPIOError])
        /// The system cannot start a thread.
        case noThread
    }

    /// Requests each line with its deasserted level and releases it.
    ///
    /// The configurations are the one with which the daemon would start and the last one that worked, because the dead
    /// daemon may have run with either. A line that a running daemon holds is not affected.
    /// - Returns: The lines that could not be driven, with the reasons.
    /// - Throws: The configuration's mistakes, if no other configuration has worked yet.
    public static func run(_ source: ConfigurationSource) throws(ConfigurationError) -> [UnreleasedOutput] {
        try run(source, on: Host())
    }

    static func run(
        _ source: ConfigurationSource, on host: Host,
        serviceDirectory: String? = ConfigurationKeeper.serviceDirectory
    ) throws(ConfigurationError) -> [UnreleasedOutput] {
        let starting = try StartingConfiguration(source, isStrict: false, serviceDirectory: serviceDirectory)
        let outputs = starting.loaded.configuration.outputs
        let former = StartingConfiguration.lastThatWorked(source, serviceDirectory: serviceDirectory)?.configuration
            .outputs.filter { !outputs.contains($0) }
        // The lines of the two configurations are released one after the other, because the configurations may use the
        // same line in different ways, and the present one determines its level.
        return release(former ?? [], on: host) + release(outputs, on: host)
    }

    private static func release(_ outputs: [Output], on host: Host) -> [UnreleasedOutput] {
        guard !outputs.isEmpty else { return [] }
        let board = host.scan()
        var problems: [OutputID: String] = [:]
        var chips: [String: [Output]] = [:]
        for output in outputs {
            guard let line = output.wiring?.line else { continue }
            do throws(GPIOError) {
                // No program drives a line that does not exist, so this does not wait for it.
                chips[try board.find(line, advice: Wiring.advice).chip.path, default: []].append(output)
            } catch {
                problems[output.policy.id] = "\(error)"
            }
        }
        for (id, problem) in drive(chips, on: host) { problems[id] = problem }
        return outputs.compactMap { output in
            problems[output.policy.id].map { UnreleasedOutput(output: output, reason: $0) }
        }
    }

    /// Drives the lines of all chips at the same time.
    /// - Parameter chips: The outputs of each chip, by the path of the chip.
    /// - Returns: The reasons why lines could not be driven.
    private static func drive(_ chips: [String: [Output]], on host: Host) -> [OutputID: String] {
        let threads = chips.map { path, outputs in
            let thread = ChipThread("tacet-release", unavailable: .noThread) { Driver(host: host) }
            thread.send(outputs)
            return (path: path, outputs: outputs, thread: thread)
        }
        let end = SystemClock.monotonic.now + timeout
        var problems: [OutputID: String] = [:]
        for (path, outputs, thread) in threads {
            switch host.wait(path, thread, max(.zero, end - SystemClock.monotonic.now)) {
            case .driven(let found): problems.merge(found.mapValues { "\($0)" }) { $1 }
            case .noThread: problems.merge(Driver(host: host).drive(outputs).mapValues { "\($0)" }) { $1 }
            case nil:
                let words = "\(path) did not answer within \(timeout.components.seconds) s"
                for output in outputs { problems[output.policy.id] = words }
            }
        }
        return problems
    }

    private struct Driver: MailboxWorker {
        let host: Host

        func handle(_ outputs: [Output]) -> MailboxReply<Answer> { .done(.driven(drive(outputs))) }

        /// Drives lines of one chip until each of them has been driven once, or until the attempts are used up.
        func drive(_ outputs: [Output]) -> [OutputID: GPIOError] {
            let writer = host.writer()
            writer.change(to: outputs.compactMap(DrivenLine.init))
            for pause in OutputRelease.pauses where writer.isIncomplete {
                host.pause(pause)
                writer.acquire()
            }
            return writer.problems
        }
    }
}

/// An output whose line could not be set to its deasserted level.
public struct UnreleasedOutput: Hashable, Sendable {
    let output: Output
    public let reason: String

    /// The text for a terminal.
    public var words: String { "output \(output.policy.id): \(reason)" }

    public var entry: JournalEntry {
        let line = output.wiring.map { " (\($0))" } ?? ""
        return JournalEntry(
            .outputNotReleased,
            "The output \(output.policy.id)\(line) may still be asserted, because its line cannot be set to the "
                + "deasserted level: \(reason.asSentenceEnd)", priority: .error
        ).with(.output, output.policy.id.rawValue).with(.reason, reason)
    }
}
