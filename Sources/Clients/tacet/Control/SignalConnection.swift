import Clocks
import SessionClient
import Systemd
import Vocabulary

/// The connection of a program that sets the level of a signal. It connects again whenever it is lost.
///
/// The level belongs to the connection, so the supervisor releases or loses the signal when the connection ends. Use
/// it only on the thread of its loop.
final class SignalConnection {
    /// The component on the way to the supervisor that has answered so far.
    enum Reach {
        /// Nothing has answered. If the socket of the bus is missing, a connection waits for it.
        case nothing
        case bus, supervisor
    }

    /// The supervisor's answer to a request.
    enum Answer {
        case done
        /// The request was not executed, and must be repeated after `retryPause`. Another configuration is being
        /// applied, or the bus is too busy, and no event reports that it accepts calls again.
        case notYet
        case failed(SessionError)
    }

    /// The delay before another attempt to connect, or before a request that may succeed soon.
    static let retryPause = Duration.milliseconds(300)
    /// The delay before another request that the supervisor has rejected, because no event reports that a reload has
    /// added the signal.
    static let reloadPause = Duration.seconds(2)

    private let signal: String
    private let kind: BusKind
    private let loop: EventLoop
    private var bus: Bus?
    private var owner: BusSubscription?
    private var retry: EventTimer?
    private(set) var reach = Reach.nothing
    /// Called when the supervisor can be reached, with nil, or when it cannot be reached, with the reason.
    var onChange: (_ problem: String?) -> Void = { _ in }

    init(of signal: String, on kind: BusKind, in loop: EventLoop) throws(SystemdError) {
        self.signal = signal
        self.kind = kind
        self.loop = loop
        retry = try loop.timer { [unowned self] in open() }
    }

    /// True if there is a connection to the bus, even if the bus has not answered yet.
    var isOpen: Bool { bus != nil }

    func open() {
        do throws(SystemdError) {
            let bus = try Bus(kind, in: loop) { [unowned self] reason in hangUp(reason) }
            self.bus = bus
            owner = try bus.followOwner(of: SessionAddress.name) { [unowned self] owner in
                reach = owner == nil ? .bus : .supervisor
                onChange(owner == nil ? "the daemon is not running" : nil)
            }
        } catch { hangUp("\(error)") }
    }

    private func hangUp(_ reason: String) {
        close()
        retry?.deadline = SystemClock.monotonic.now + Self.retryPause
        onChange("there is no connection to the \(kind.rawValue) bus: \(reason)")
    }

    /// Ends the connection, and with it the level of the signal.
    func close() {
        owner = nil
        bus = nil
        reach = .nothing
        retry?.deadline = nil
    }

    /// Requests a level.
    /// - Parameters:
    ///   - lease: the time in microseconds after which the level expires, or `UInt64.max` if it does not.
    ///   - timeout: the time to wait for an answer.
    func set(
        _ asserted: Bool, lease: UInt64, within timeout: Duration = .seconds(5), then: @escaping (Answer) -> Void
    ) {
        guard let bus else { return then(.failed(SessionError(.failed("there is no connection")))) }
        do throws(SystemdError) {
            try bus.call(
                SessionMethod.setSignal.rawValue, of: SessionAddress.session, at: SessionAddress.path,
                on: SessionAddress.name, [.string(signal), .bool(asserted), .uint64(lease)], within: timeout
            ) { answer in
                switch answer {
                case .success(let values): then(values.first == .string("success") ? .done : .notYet)
                case .failure(let error): then(error.isOverload ? .notYet : .failed(SessionError(error)))
                }
            }
        } catch { then(.failed(SessionError(.failed("\(error)")))) }
    }
}
