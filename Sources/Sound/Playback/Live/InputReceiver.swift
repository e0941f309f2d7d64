import Threads

/// A thread that receives audio and delivers it to live inputs. When `descriptor` becomes readable, call `takeReports`.
///
/// Use this type from one thread.
public class InputReceiver {
    private let mailbox: InputMailbox
    private let thread: NativeThread?

    /// Starts the thread.
    /// - Parameters:
    ///   - source: the pipe or device, for errors.
    ///   - mailbox: what the thread exchanges with others.
    ///   - program: the prefix of the thread's name, at most 7 bytes long.
    ///   - run: called on the thread. It must return soon after the mailbox quits.
    init(_ source: String, _ mailbox: InputMailbox, program: String, run: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        thread = NativeThread("\(program)-input", run)
        if thread == nil { mailbox.report(.failed(InputError(source, .thread, code: 0))) }
    }

    deinit {
        stop(within: .seconds(1))
    }

    /// Readable while there are reports to take. The receiver owns it.
    public var descriptor: Int32 { mailbox.news.descriptor }
    /// Returns the reports since the last call, in order.
    public func takeReports() -> [InputReport] { mailbox.takeReports() }
    /// The state of the first of the inputs.
    public var statistics: LiveStatistics { mailbox.statistics }
    /// The number of times that the thread has woken up, for measurements.
    public var turns: Int { mailbox.turns }

    /// Ends the thread.
    /// - Parameter timeout: the time to wait for the thread.
    /// - Returns: true if it has ended within that time.
    @discardableResult
    public func stop(within timeout: Duration) -> Bool {
        mailbox.quit()
        return thread?.join(within: timeout) ?? true
    }
}
