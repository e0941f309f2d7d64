import Glibc
import Systemd

/// Commands without end by one client, which asks for the next before it has the answers, and checks each.
final class Flood {
    static let rate = 1000
    static let seconds = 60
    /// So many may be without an answer, as many buses allow 128.
    private static let mostOpen = 100

    struct Findings {
        var answered = 0
        var outOfOrder = 0
        var wrong = 0
        var milliseconds = 1
        /// Of each answer, in milliseconds.
        var delays: [Double] = []
        var memory: [Int] = []
        var longestHunger = Duration.zero
        var underruns = 0
        var isInTheEndAsAsked = false
        var end = ""
    }

    private let daemon: Daemon
    private var findings = Findings()
    private var open: [(call: UInt64, since: ContinuousClock.Instant)] = []
    private var nextOpen = 0
    private var fed = ContinuousClock.now
    private var random: UInt64 = 6
    // What all commands so far have asked for.
    private var isPlaying = true
    private var track = 0
    private var decibels = 0

    init(_ daemon: Daemon) { self.daemon = daemon }

    func run() throws -> Findings {
        try Stage.pass(.seconds(2))
        fed = .now
        let start = ContinuousClock.now
        for number in 0..<Flood.rate * Flood.seconds {
            if number % (15 * Flood.rate) == 0 { try weigh() }
            let due = start + .seconds(1) / Flood.rate * number
            repeat { try listen(until: due) } while open.count - nextOpen >= Flood.mostOpen
            try ask(nextCommand())
        }
        try listenToTheEnd()
        findings.milliseconds = max(1, Int((ContinuousClock.now - start) / .milliseconds(1)))
        try weigh()
        compare()
        findings.underruns = try daemon.entries("underrun")
        return findings
    }

    private func weigh() throws {
        try Stage.pass(.nanoseconds(1))
        findings.memory.append(try ProcessFigures(pid: daemon.pid).memory())
    }

    // MARK: Commands and answers

    private func nextCommand() -> String {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let choice = Int(random >> 33)
        switch choice % 8 {
        case 0, 1:
            isPlaying = true
            return "play"
        case 2:
            isPlaying = false
            return "pause"
        case 3:
            isPlaying.toggle()
            return "playPause"
        case 4:
            track = (track + 1) % Daemon.trackCount
            return "next"
        case 5:
            track = (track + Daemon.trackCount - 1) % Daemon.trackCount
            return "previous"
        case 6: return "seek \(choice / 8 % 60)s"
        default:
            decibels = -(choice / 8 % 30)
            return "volume \(decibels)dB"
        }
    }

    private func ask(_ command: String) throws {
        let call = try daemon.client.start(
            "Command", of: "org.tacet.Session1", at: "/org/mpris/MediaPlayer2", on: "org.mpris.MediaPlayer2.tacet",
            [.string(command)])
        open.append((call, .now))
    }

    private func listen(until due: ContinuousClock.Instant) throws {
        watch()
        repeat {
            while let news = try daemon.client.next() { take(news) }
        } while try waits(until: due)
    }

    /// - Returns: whether it is not yet due.
    private func waits(until due: ContinuousClock.Instant) throws -> Bool {
        let left = due - .now
        guard left > .zero else { return false }
        _ = try daemon.client.wait(left)
        return true
    }

    private func listenToTheEnd() throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while nextOpen < open.count, .now < deadline {
            try listen(until: .now + .milliseconds(20))
        }
        watch()
    }

    private func take(_ news: BusNews) {
        guard case .answer(let call, let result) = news else { return }
        guard nextOpen < open.count, open[nextOpen].call == call else {
            findings.outOfOrder += 1
            return
        }
        findings.delays.append((ContinuousClock.now - open[nextOpen].since) / .milliseconds(1))
        nextOpen += 1
        findings.answered += 1
        if result != .success([.string("success"), .string("")]) { findings.wrong += 1 }
    }

    /// What the service manager would see.
    private func watch() {
        let isFed = daemon.listen()
        findings.longestHunger = max(findings.longestHunger, .now - fed)
        if isFed { fed = .now }
    }

    // MARK: The end

    private func compare() {
        let status = daemon.property("PlaybackStatus")
        var volume = -1.0
        if case .double(let amplitude)? = daemon.property("Volume") { volume = amplitude }
        let metadata = "\(daemon.property("Metadata").map { "\($0)" } ?? "")"
        let isTrack = metadata.contains("/org/tacet/track/\(track)\"")
        findings.isInTheEndAsAsked =
            status == .string(isPlaying ? "Playing" : "Paused")
            && abs(volume - pow(10, Double(decibels) / 20)) < 1e-6 && isTrack && nextOpen == open.count
        findings.end =
            "\(status.map { "\($0)" } ?? "–"), volume \(volume); asked: \(isPlaying), \(decibels) dB, track \(track)"
    }
}
