import AudioSession
import Configuration
import Signals
import Verification

extension Explorer {
    /// An explorer of what can happen under a configuration, and of nothing that cannot.
    /// - Parameter commands: what users can ask for; nil: everything.
    init(
        _ configuration: Configuration, commands: [Command]? = nil, limit: Int = .max, subject: Subject = Subject()
    ) {
        var policy = configuration.session
        for index in policy.signals.indices {
            let signal = policy.signals[index]
            guard let limit = signal.resumeWithin, limit < configuration.shortest(signal.id) else { continue }
            // Every interruption outlasts it.
            policy.signals[index].resumeWithin = .nanoseconds(-1)
        }
        let hasLimit = policy.signals.contains { $0.resume == .auto && $0.resumeWithin ?? .zero > .zero }
        self.init(
            policy: policy, options: hasLimit ? [.chatterOfOne, .time] : .chatterOfOne,
            stuck: Set(configuration.lines.filter { $1.stuckAfter != nil }.keys), commands: commands,
            limit: limit, subject: subject)
    }
}

extension Configuration {
    /// How long a signal is asserted at least: it lets go when its line has been quiet for `Debounce` and then for
    /// `ReleaseDelay`.
    func shortest(_ signal: SignalID) -> Duration {
        lines[signal].map { $0.debounce + $0.releaseDelay } ?? .zero
    }
}
