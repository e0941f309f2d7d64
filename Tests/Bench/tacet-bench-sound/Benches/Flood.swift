import Glibc
import Systemd

/// A flood of commands from one client, which does not wait for an answer before the next command and checks every
/// answer.
final class Flood {
    static let rate = 1000
    static let seconds = 60
    /// The maximum number of unanswered commands. A bus commonly allows 128.
    private static let maximumOpen = 100

    struct Findings {
        var answered = 0
        var outOfOrder = 0
        var wrong = 0
        var milliseconds = 1
        /// The time that each answer took, in milliseconds.
        var delays: [Double] = []
        var memory: [Int] = []
        var longestWatchdogGap = Duration.zero
        var underruns = 0
        var endsAsRequested = false
        var end = ""
    }

    private let daemon: TacetDaemon
    private var findings = Findings()
    private var open: [(call: UInt64, since: ContinuousClock.Instant)] = []
    private var nextOpen = 0
    private var fed = ContinuousClock.now
    private var random: UInt64 = 6
    // The state that all commands so far should have led to.
    private var isPlaying = true
    private var track = 0
    private var decibels = 0

    init(_ daemon: TacetDaemon) { self.daemon = daemon }

    func run() throws -> Findings {
        try SoundRig.sleep(.seconds(2))
        fed = .now
        let start = ContinuousClock.now
        for number in 0..<Flood.rate * Flood.seconds {
            if number % (15 * Flood.rate) == 0 { try weigh() }
            let due = start + .seconds(1) / Flood.rate * number
            repeat { try listen(until: due) } while open.count - nextOpen >= Flood.maximumOpen
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
        try SoundRig.sleep(.nanoseconds(1))
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
            track = (track + 1) % TacetDaemon.trackCount
            return "next"
        case 5:
            track = (track + TacetDaemon.trackCount - 1) % TacetDaemon.trackCount
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

    /// - Returns: True if there was time left to wait.
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

    private func take(_ event: BusEvent) {
        guard case .answer(let call, let result) = event else { return }
        guard nextOpen < open.count, open[nextOpen].call == call else {
            findings.outOfOrder += 1
            return
        }
        findings.delays.append((ContinuousClock.now - open[nextOpen].since) / .milliseconds(1))
        nextOpen += 1
        findings.answered += 1
        if result != .success([.string("success"), .string("")]) { findings.wrong += 1 }
    }

    /// Reads the watchdog messages as the service manager would.
    private func watch() {
        let isFed = daemon.listen()
        findings.longestWatchdogGap = max(findings.longestWatchdogGap, .now - fed)
        if isFed { fed = .now }
    }

    // MARK: The end

    private func compare() {
        let status = daemon.property("PlaybackStatus")
        var volume = -1.0
        if case .double(let amplitude)? = daemon.property("Volume") { volume = amplitude }
        let metadata = "\(daemon.property("Metadata").map { "\($0)" } ?? "")"
        let isTrack = metadata.contains("/org/tacet/track/\(track)\"")
        findings.endsAsRequested =
            status == .string(isPlaying ? "Playing" : "Paused")
            && abs(volume - pow(10, Double(decibels) / 20)) < 1e-6 && isTrack && nextOpen == open.count
        findings.end =
            "\(status.map { "\($0)" } ?? "–"), volume \(volume); asked: \(isPlaying), \(decibels) dB, track \(track)"
    }
}
