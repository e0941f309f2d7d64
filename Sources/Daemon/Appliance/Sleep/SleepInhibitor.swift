import Clocks
import Systemd
import Threads

/// Follows systemd-logind on the system bus, and delays each sleep until the daemon is quiet and has saved its state.
///
/// None of its methods waits. Without logind, it does nothing. If logind does not allow the delay, it still announces
/// each sleep, but it does not wait for the daemon.
final class SleepInhibitor {
    private static let logind = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"

    private let loop: EventLoop
    private var bus: Bus?
    private var subscriptions: [BusSubscription] = []
    private var retry: EventTimer?
    private var backoff = Backoff(from: .seconds(1), to: .seconds(60))
    /// True if logind is running.
    private var isPresent = false
    /// True if logind has announced a sleep that is not over yet.
    private var isSleepAnnounced = false
    /// The descriptor that delays a sleep for as long as it is open.
    private var delay: BusDescriptor?
    /// The wait that ends the delay.
    private var wait: ConditionWait?
    /// The number of the current request for a delay. The answers to earlier requests are ignored.
    private var requests = 0
    private var hasComplained = false
    /// Called when the system is about to sleep. Call `allowSleep` as soon as everything is quiet and saved.
    private let onSleep: () -> Void
    /// Called when the system has woken, or when it is no longer known whether it sleeps.
    private let onWake: () -> Void
    /// Called once if logind rejects the delay, with its reason.
    private let onRejection: (String) -> Void

    init(
        in loop: EventLoop, onSleep: @escaping () -> Void, onWake: @escaping () -> Void,
        onRejection: @escaping (String) -> Void
    ) throws(SystemdError) {
        self.loop = loop
        self.onSleep = onSleep
        self.onWake = onWake
        self.onRejection = onRejection
        retry = try loop.timer { [unowned self] in bus == nil ? connect() : request() }
        connect()
    }

    /// Lets the announced sleep begin.
    func allowSleep() { delay = nil }

    /// Lets the announced sleep begin as soon as a condition is met, but no later than the deadline.
    func allowSleep(once condition: @escaping () -> Bool, before deadline: Duration) {
        do throws(SystemdError) {
            wait = try ConditionWait(in: loop, until: condition, before: deadline) { [unowned self] in allowSleep() }
            wait?.look()
        } catch { allowSleep() }
    }

    // MARK: The connection

    private func connect() {
        do throws(SystemdError) {
            let bus = try Bus(.system, in: loop) { [unowned self] _ in hangUp() }
            self.bus = bus
            subscriptions = [
                try bus.followOwner(of: Self.logind) { [unowned self] owner in
                    backoff.restart()
                    if owner == nil { lose() } else { find() }
                },
                try bus.follow(
                    from: Self.logind, path: Self.path, interface: Self.manager, member: "PrepareForSleep",
                    signature: "b"
                ) { [unowned self] values, _ in
                    if case .bool(let begins)? = values.first { take(begins) }
                },
            ]
        } catch { hangUp() }
    }

    private func hangUp() {
        subscriptions = []
        bus = nil
        lose()
        retryLater()
    }

    private func retryLater() {
        retry?.deadline = SystemClock.monotonic.now + backoff.next()
    }

    /// Handles the start or restart of logind.
    private func find() {
        isPresent = true
        endSleep()
        request()
    }

    private func lose() {
        isPresent = false
        requests += 1
        delay = nil
        retry?.deadline = nil
        // Without logind, nothing would announce the end.
        endSleep()
    }

    // MARK: Sleep

    private func take(_ begins: Bool) {
        if begins {
            guard !isSleepAnnounced else { return }
            isSleepAnnounced = true
            onSleep()
        } else {
            endSleep()
            request()
        }
    }

    private func endSleep() {
        guard isSleepAnnounced else { return }
        isSleepAnnounced = false
        wait = nil
        onWake()
    }

    /// Requests the delay for the next sleep.
    private func request() {
        guard isPresent, !isSleepAnnounced, let bus else { return }
        retry?.deadline = nil
        requests += 1
        let number = requests
        do throws(SystemdError) {
            try bus.call(
                "Inhibit", of: Self.manager, at: Self.path, on: Self.logind,
                [
                    .string("sleep"), .string("Tacet"),
                    .string("Fades out, saves the position and closes the sound device"), .string("delay"),
                ]
            ) { [unowned self] answer in
                guard number == requests else { return }
                take(answer)
            }
        } catch { hangUp() }
    }

    private func take(_ answer: Result<[BusValue], BusError>) {
        switch answer {
        case .success(let values):
            guard case .descriptor(let descriptor)? = values.first else { return }
            backoff.restart()
            // A delay that is granted after the announcement would only hinder the sleep.
            if !isSleepAnnounced { delay = descriptor }
        case .failure(let error):
            // While a sleep is in progress or logind is starting, logind grants the delay later.
            retryLater()
            guard
                error.name == "org.freedesktop.DBus.Error.AccessDenied"
                    || error.name == "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", !hasComplained
            else { return }
            hasComplained = true
            onRejection(error.message)
        }
    }
}
