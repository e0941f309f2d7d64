import AudioSession
import Chance
import Configuration
import DiskLab
import Glibc
import Playback
import ResumeStore
import SessionModel
import Signals
import Supervisor

/// Simulates several lives of a board, each of which ends with a power cut or a kill at a random time of a random
/// schedule. After each, the boot must do what `SessionModel` expects. Everything follows from the seed.
public final class CrashRun {
    public struct Outcome: Sendable {
        public var cuts = 0
        /// The number of power cuts during a write.
        public var cutsInWrites = 0
        public var kills = 0
        /// The seconds of music lost by each power cut of a playing board, on disks that take at most 30 ms.
        public var lost: [Double] = []
        /// The seconds of music lost on disks that take up to 15 s. On disks that fail, the loss is not limited.
        public var lostOnSlowDisks: [Double] = []
        /// The rules that were broken.
        public var violations: [String] = []

        public init() {}
    }

    /// The calls that write a state.
    private static let calls: [LabDisk.Call] = [
        .open, .create, .write, .allocate, .sync, .syncData, .rename, .remove, .inspect,
    ]
    private static let codes: [CInt] = [EIO, ENOSPC, EROFS, EACCES]

    public let seed: UInt64
    private var random: SplitMix
    private let world: CrashWorld
    private let configuration: Configuration
    private let tracks = (0..<4).map { Track(path: "/music/\($0).flac") }
    private var outcome = Outcome()
    /// The number of the newest state that is known to be saved.
    private var floor: Int?
    private var cutAt = Duration.zero
    /// The number of the write, counted from the boot, during which the power fails, or nil if the power fails at any
    /// time.
    private var cutInWrite: Int?
    private var isInWrite = false
    /// The length of the music that had been played when this life began.
    private var heardAtBoot = Duration.zero
    private var fault: (from: Duration, to: Duration, call: LabDisk.Call, code: CInt)?
    private var isSlow = false
    private let log: ((String) -> Void)?

    /// - Parameters:
    ///   - interval: The checkpoint interval, or nil for 1 s or 5 s at random.
    ///   - lies: True if the disk's syncs succeed without doing anything.
    ///   - log: Called with each event.
    public init(seed: UInt64, interval: Duration? = nil, lies: Bool = false, log: ((String) -> Void)? = nil) {
        self.seed = seed
        self.log = log
        random = SplitMix(seed: seed)
        world = CrashWorld(seed: random.next())
        world.disk.lies = lies
        var configuration = Self.configuration(&random)
        configuration.state.interval = interval ?? configuration.state.interval
        self.configuration = configuration
        for signal in configuration.session.signals { world.levels[signal.id] = false }
        world.disk.fails = { [unowned self] call in
            guard let fault, fault.call == call, world.now >= fault.from, world.now < fault.to else { return nil }
            return fault.code
        }
    }

    private static func configuration(_ random: inout SplitMix) -> Configuration {
        let signals = [
            SignalPolicy(id: "phone-call", effect: .pause),
            SignalPolicy(id: "alarm", effect: .duck(Level(decibels: -18) ?? .mute)),
            SignalPolicy(id: "cover", effect: .pause, resume: .manual),
            SignalPolicy(id: "door", effect: .pause, resumeWithin: .seconds(8)),
            SignalPolicy(id: "bell", effect: .pause, isAlert: true), SignalPolicy(id: "siren", effect: .duck(.mute)),
            SignalPolicy(id: "hatch", effect: .pause, whenStuck: .release),
            SignalPolicy(id: "ignition", effect: .checkpoint),
        ]
        var policy = Policy(signals: signals)
        policy.prefersNoInterruptionsFromSystemAlerts = .random(using: &random)
        policy.hasPlaybackInterface = .random(using: &random)
        policy.autoPlay = .random(using: &random)
        policy.resumesAfterReset = .random(using: &random)
        policy.repeats = Policy.Repeat.allCases.randomElement(using: &random) ?? .none
        var lines: [SignalID: LinePolicy] = [:]
        for signal in signals { lines[signal.id] = LinePolicy() }
        lines["hatch"]?.stuckAfter = .seconds(6)
        for signal in ["cover", "hatch", "siren"] as [SignalID] { lines[signal]?.releaseDelay = .seconds(3) }
        var configuration = Configuration(session: policy, lines: lines)
        configuration.state.interval = Bool.random(using: &random) ? .seconds(5) : .seconds(1)
        return configuration
    }

    // MARK: Lives

    public func run(lives: Int) -> Outcome {
        boot(afterCut: true)
        for _ in 0..<lives where outcome.violations.isEmpty { live() }
        return outcome
    }

    private func live() {
        let start = world.now
        // Some lives end almost immediately.
        let longest = Int.random(in: 0..<4, using: &random) == 0 ? 100_000 : 40_000_000
        cutAt = start + .microseconds(Int.random(in: 0...longest, using: &random))
        cutInWrite = Bool.random(using: &random) ? Int.random(in: 1...6, using: &random) : nil
        if cutInWrite != nil { cutAt = start + .seconds(60) }
        isSlow = Int.random(in: 0..<10, using: &random) == 0
        fault = randomFault(from: start)
        isInWrite = false
        var event = nextEvent()
        while world.now < cutAt {
            settle()
            let next =
                [cutAt, event, world.supervisor?.deadline, world.player?.deadline, world.writer.deadline]
                .compactMap { $0 }.min() ?? cutAt
            world.now = max(world.now, next)
            world.player?.advance()
            if world.now >= cutAt { break }
            settle()
            if world.now >= event {
                happen()
                event = nextEvent()
            }
        }
        die()
    }

    private func randomFault(from start: Duration) -> (Duration, Duration, LabDisk.Call, CInt)? {
        guard Int.random(in: 0..<5, using: &random) == 0 else { return nil }
        let from = start + .milliseconds(Int.random(in: 0...20_000, using: &random))
        return (
            from, from + .milliseconds(Int.random(in: 0...30_000, using: &random)),
            Self.calls.randomElement(using: &random) ?? .syncData,
            Self.codes.randomElement(using: &random) ?? EIO
        )
    }

    private func nextEvent() -> Duration {
        world.now + .microseconds(Int.random(in: 0...3_000_000, using: &random))
    }

    /// Runs everything that is pending now, including the disk's writes.
    private func settle() {
        world.handle(.time)
        while true {
            if let done = world.writer.finish(at: world.now), done.isWritten { floor = max(floor ?? 0, done.index) }
            guard let index = world.writer.nextTask(at: world.now) else { return }
            let time = writeTime()
            world.history[index].isTried = true
            if cutInWrite == world.writer.count + 1 {
                cutAt = world.now + .microseconds(Int.random(in: 0..<Int(time / .microseconds(1)), using: &random))
            }
            if cutAt < world.now + time {
                isInWrite = true
                world.disk.callsLeft = Int.random(in: 1...(world.writer.count == 0 ? 20 : 4), using: &random)
            }
            log?("\(world.now) write \(index) for \(time)")
            world.writer.start(world.history[index].state, index, at: world.now, taking: time)
        }
    }

    private func writeTime() -> Duration {
        let longest = isSlow ? 15_000_000 : 30_000
        return .microseconds(Int.random(in: 500...longest, using: &random))
    }

    private func happen() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11:
            // Mostly, asserted signals are toggled, so that music plays most of the time.
            let asserted = world.levels.filter(\.value).keys.sorted()
            let signals =
                asserted.isEmpty || Int.random(in: 0..<4, using: &random) == 0
                ? configuration.session.signals.map(\.id) : asserted
            let signal = signals.randomElement(using: &random) ?? "alarm"
            let level = !(world.levels[signal] ?? false)
            world.levels[signal] = level
            log?("\(world.now) \(signal) \(level)")
            world.handle(.line(signal, level: level))
        case 11:
            guard world.isDeviceAvailable else {
                world.isDeviceAvailable = true
                log?("\(world.now) device returns")
                return world.handle(.event(.mediaServicesReset))
            }
            world.isDeviceAvailable = false
            log?("\(world.now) device lost")
            world.handle(.event(.mediaServicesLost))
        case 12: world.handle(.event(.routeLost))
        default:
            let commands: [Command] = [
                .play, .play, .play, .play, .pause, .playPause, .stop, .next, .previous,
                .seek(to: .microseconds(Int.random(in: 0...25_000_000, using: &random))),
                .volume(Level(decibels: Double(Int.random(in: -60...0, using: &random))) ?? .full),
            ]
            let command = commands.randomElement(using: &random) ?? .play
            log?("\(world.now) \(command)")
            world.handle(.command(command))
        }
    }

    private func die() {
        let isPlaying = world.player?.isPlaying == true
        let heard = world.heard
        let heardAtBoot = heardAtBoot
        let allowance = world.writer.times.reduce(configuration.state.interval, +)
        let isHealthy = fault == nil
        let wasSlow = isSlow
        let isCut = isInWrite || Int.random(in: 0..<10, using: &random) > 0
        log?("\(world.now) \(isCut ? "power cut" : "kill")")
        if isCut {
            world.disk.cutPower()
            outcome.cuts += 1
            if isInWrite { outcome.cutsInWrites += 1 }
        } else {
            world.disk.killProgram()
            outcome.kills += 1
        }
        world.endLife()
        fault = nil
        changeWhileOff()
        guard let index = boot(afterCut: isCut), isPlaying, isCut, isHealthy else { return }
        // Music that an earlier cut lost has been played twice, so it must not be counted again.
        let lost = heard - max(world.history[index].heard, heardAtBoot)
        if wasSlow {
            outcome.lostOnSlowDisks.append(lost / .seconds(1))
        } else {
            outcome.lost.append(lost / .seconds(1))
        }
        if lost > allowance { violate("\(lost) of the music were lost, but at most \(allowance) may be") }
    }

    private func changeWhileOff() {
        world.now += .microseconds(Int.random(in: 0...20_000_000, using: &random))
        for signal in configuration.session.signals {
            let isAsserted = world.levels[signal.id] ?? false
            if Int.random(in: 0..<(isAsserted ? 2 : 12), using: &random) == 0 { world.levels[signal.id] = !isAsserted }
        }
        world.isDeviceAvailable = Int.random(in: 0..<8, using: &random) > 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: world.wallClockOffset = .zero - world.now
        case 1: world.wallClockOffset = .seconds(Int.random(in: -1_000_000...1_800_000_000, using: &random))
        default: break
        }
    }

    // MARK: Rules

    /// - Returns: The number of the state from which it continued.
    @discardableResult
    private func boot(afterCut: Bool) -> Int? {
        let wallClock = world.wallClock
        heardAtBoot = world.heard
        let count = world.history.count
        world.boot(configuration, tracks)
        let state = world.loaded
        let index = check(state, among: world.history[..<count])
        if afterCut { floor = index ?? floor }
        let elapsed = min(max(.zero, wallClock - (state?.savedAt ?? wallClock)), SavedState.longest)
        let model = SessionModel(
            configuration, tracks: tracks.map { ($0.path, LabPlayer.length) }, from: state, elapsed: elapsed,
            levels: world.levels, isDeviceAvailable: world.isDeviceAvailable)
        guard let supervisor = world.supervisor else { return index }
        let session = supervisor.session
        log?("\(world.now) boot from \(index.map(String.init) ?? "nothing"): \(session.directive)")
        if session.directive != model.directive || session.intent != model.intent {
            violate(
                "it boots to \(session.intent), \(session.directive) instead of \(model.intent), \(model.directive)")
        }
        if world.player?.isPlaying != (model.directive != .silent) {
            violate("the player does not follow the directive \(model.directive)")
        }
        let track = supervisor.track(of: world.playerState)?.path
        let position = supervisor.position(of: world.playerState)
        if session.volume != model.volume || track != model.place.track || position != model.place.position {
            violate("it is at \(track ?? "") \(position ?? .zero), with the volume \(session.volume)")
        }
        world.handle(.time)
        for complaint in world.complaints { violate(complaint) }
        return index
    }

    /// Checks the loaded state. It must be the newest one that is known to be saved, or one whose write was started
    /// since.
    private func check(_ state: SavedState?, among history: ArraySlice<LabSnapshot>) -> Int? {
        guard let state else {
            if floor != nil { violate("the saved state is lost") }
            return nil
        }
        guard let index = history.lastIndex(where: { $0.state == state && $0.isTried }) else {
            violate("the loaded state was never saved")
            return nil
        }
        if let floor, index < floor { violate("state \(index) was loaded, but \(floor) had been saved") }
        return index
    }

    private func violate(_ what: String) { outcome.violations.append("TACET_SEED=\(seed), \(world.now): \(what)") }
}
