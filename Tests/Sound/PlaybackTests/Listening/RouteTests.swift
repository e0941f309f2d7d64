import ALSA
import Foundation
import Saboteur
import SoundLab
import Testing
import Threads

@testable import Playback

/// Two devices that write their output to one file, so that the order of all frames is visible. The preferred one can
/// disappear and return.
private final class RouteLab {
    let lab: EngineLab
    let path: String
    private let watched: String
    private var touches = 0

    /// - Parameter sound: the number of frames of the only sound, or 0 for none.
    init(sound: Int = 0, _ change: (inout EngineSettings) -> Void = { _ in }) throws {
        let folder = try TemporaryFolder()
        if sound > 0 { try TestMusic.writeNumbers(to: folder.path("sound.wav"), frames: sound) }
        path = folder.path("heard.raw")
        watched = folder.path("dev")
        try FileManager.default.createDirectory(atPath: watched, withIntermediateDirectories: true)
        let (path, watched) = (path, watched)
        func device(_ name: String) -> PCMAddress {
            PCMAddress(
                name,
                definedBy: "pcm.\(name) { type file slave.pcm { type null } file \"|cat >>\(path)\" format raw }")
        }
        let sounds = sound > 0 ? [Sound(file: Track(path: folder.path("sound.wav")), gain: 1)] : []
        lab = try EngineLab(tracks: [(4_800_000, 48_000)], sounds: sounds) {
            $0.address = device("headphones")
            $0.fallbacks.devices = [device("speakers")]
            $0.handling.watchedFolders = [watched]
            // Without ramps, every frame contains its number.
            $0.jumpFade = .zero
            $0.queue = .milliseconds(10)
            $0.handling.retry = Backoff(from: .milliseconds(1), to: .milliseconds(20))
            $0.fallbacks.settle = Backoff(from: .milliseconds(5), to: .milliseconds(5))
            change(&$0)
        }
        self.folder = folder
    }

    private let folder: TemporaryFolder

    deinit { setAvailable(true) }

    var engine: RealTimeEngine { lab.engine }

    /// Makes the preferred device disappear or return.
    func setAvailable(_ isAvailable: Bool) {
        saboteur_plan("headphones", SABOTEUR_OPEN, -ENODEV, isAvailable ? 0 : .max)
        saboteur_plan("headphones", SABOTEUR_WRITE, -ENODEV, isAvailable ? 0 : .max)
        if isAvailable { makeSomethingAppear() }
    }

    func makeSomethingAppear() {
        touches += 1
        _ = FileManager.default.createFile(atPath: watched + "/\(touches)", contents: nil)
    }

    /// The frame that is being played. While a track is being searched for, its rate is unknown, but its position is
    /// known.
    var frame: Int { engine.playhead?.position.frames(atRate: 48_000) ?? 0 }

    func passSome(_ frames: Int = 2400) throws {
        let start = frame
        try lab.pass("\(frames) frames after \(start)") { _ in frame > start + frames }
    }

    func waitForLoss() throws -> OutputRoute {
        try lab.wait("lost route") { if case .routeLost(let route) = $0 { route } else { nil } }
    }

    func waitForReturn() throws -> OutputRoute {
        try lab.wait("returned route") { if case .routeBack(let route) = $0 { route } else { nil } }
    }

    func has(_ event: PlaybackEvent) -> Bool { lab.events.contains(event) }

    var losses: Int { lab.events.filter { if case .deviceLost = $0 { true } else { false } }.count }

    /// Ends the engine.
    /// - Returns: the numbers of the music's frames that were played.
    func heard() throws -> [NumberedRun] {
        #expect(engine.stop(within: .seconds(5)))
        let samples = try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int32.self).enumerated().compactMap { $0.offset % 2 == 0 ? $0.element : nil }
        }
        return NumberedRun.all(in: samples, shortest: 1)
    }
}

@Suite(.serialized) struct RouteTests {
    /// The maximum number of frames that a lost device may have had in its queue. The queue holds 10 ms and at least
    /// 1.5 times what the device needs, twice that at the start, and more after underruns.
    private let queue = 9600

    @Test func hundredRouteChangesLoseNoFrame() throws {
        let route = try RouteLab()
        try route.lab.play()
        var planned: [Int] = []
        for _ in 0..<50 {
            try route.passSome()
            route.setAvailable(false)
            let lost = try route.waitForLoss()
            #expect(lost.index == 1 && lost.device == "speakers" && lost.reason?.code == ENODEV)
            route.engine.rebuild()
            try route.passSome()
            route.setAvailable(true)
            #expect(try route.waitForReturn() == OutputRoute(index: 0, device: "headphones"))
            planned.append(route.frame)
            route.engine.rebuild()
        }
        try route.passSome()
        #expect(route.losses == 0)
        let runs = try route.heard()
        var next = 1
        var repeats = 0
        for run in runs {
            #expect((next - queue...next).contains(run.number), "\(run.number) after \(next)")
            if run.number < next { repeats += 1 }
            next = run.next
        }
        // A return repeats nothing, because its position is exact to the frame.
        #expect(repeats <= 50)
        for frame in planned {
            #expect(runs.contains { $0.next == frame + 1 } && runs.contains { $0.number == frame + 1 })
        }
    }

    /// However long the device has been missing, it is tried again about as often.
    @Test func missingDeviceIsTriedAgainAndAgain() throws {
        let route = try RouteLab { $0.handling.retry = Backoff(from: .milliseconds(1), to: .milliseconds(2)) }
        route.setAvailable(false)
        try route.lab.play()
        let tries = saboteur_hits(SABOTEUR_OPEN)
        try route.lab.pass("thirty attempts") { _ in saboteur_hits(SABOTEUR_OPEN) >= tries + 30 }
        #expect(route.engine.stop(within: .seconds(5)))
    }

    @Test func withoutAReplacementTheDeviceIsLostUntilAnyOneReturns() throws {
        let route = try RouteLab {
            $0.fallbacks.devices = [PCMAddress("missing", definedBy: "pcm.missing { type none }")]
        }
        try route.lab.play()
        try route.passSome()
        route.setAvailable(false)
        let lost = try route.lab.wait("loss") { if case .deviceLost(let error) = $0 { error } else { nil } }
        #expect(lost.device == "headphones" && lost.code == ENODEV)
        route.setAvailable(true)
        _ = try route.lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
        #expect(!route.lab.events.contains { if case .routeLost = $0 { true } else { false } })
    }

    /// The preferred device was missing at the start, and returns while nothing plays.
    @Test func startsOnTheFirstAvailableDeviceAndReturnsInSilence() throws {
        let route = try RouteLab()
        route.setAvailable(false)
        try route.lab.play(at: .seconds(1))
        let isFallback = route.lab.events.contains {
            if case .routeFound(let route) = $0 { route.index == 1 && route.reason != nil } else { false }
        }
        #expect(isFallback)
        try route.passSome()
        route.engine.silence(over: .zero)
        try route.lab.wait(for: .faded)
        // This is the frame at which the music stops, even if the queue is still being played on a busy machine.
        let end = route.frame
        route.setAvailable(true)
        #expect(try route.waitForReturn().index == 0)
        route.engine.rebuild()
        route.engine.play(gain: 1, over: .zero)
        _ = try route.lab.waitForEffect()
        try route.passSome()
        let runs = try route.heard()
        #expect(runs.count >= 2 && zip(runs, runs.dropFirst()).allSatisfy { $0.next == $1.number }, "\(runs)")
        #expect(runs.contains { $0.next == end + 1 }, "\(end): \(runs)")
    }

    /// The closed device was not in use, so the order to play applies to the other one.
    @Test func deviceThatIsMissingAtReopeningIsReplacedAndPlays() throws {
        let route = try RouteLab { $0.handling.closeAfter = .milliseconds(50) }
        try route.lab.play()
        try route.passSome()
        route.engine.silence(over: .zero)
        try route.lab.wait(for: .deviceClosed)
        let end = route.frame
        route.setAvailable(false)
        route.engine.play(gain: 1, over: .zero)
        let found = try route.lab.wait("found route") { if case .routeFound(let route) = $0 { route } else { nil } }
        #expect(found.index == 1 && found.reason?.code == ENODEV)
        _ = try route.lab.waitForEffect()
        try route.passSome()
        #expect(!route.lab.events.contains { if case .routeLost = $0 { true } else { false } })
        let runs = try route.heard()
        #expect(runs.contains { $0.next == end + 1 } && runs.contains { $0.number == end + 1 }, "\(end): \(runs)")
    }

    /// The headphones were removed during a sleep, so the music waits for the session.
    @Test func deviceThatIsMissingAfterASleepIsALostRoute() throws {
        let route = try RouteLab { $0.fallbacks.reopeningTime = .milliseconds(20) }
        try route.lab.play()
        try route.passSome()
        route.engine.silence(over: .zero)
        route.engine.releaseDevice()
        try route.lab.wait(for: .deviceClosed)
        let end = route.frame
        route.setAvailable(false)
        route.engine.reacquireDevice()
        route.engine.play(gain: 1, over: .zero)
        #expect(try route.waitForLoss().index == 1)
        #expect(route.frame == end)
        route.engine.silence(over: .zero)
        route.engine.rebuild()
        let turns = route.engine.progress.renderTurns
        try route.lab.pass("turns") { _ in route.engine.progress.renderTurns > turns + 2 }
        #expect(route.frame == end)
        let runs = try route.heard()
        #expect(runs.last?.next == end + 1)
    }

    @Test func deviceThatReappearsSoonAfterASleepIsUsedAgain() throws {
        let route = try RouteLab { $0.fallbacks.reopeningTime = .seconds(30) }
        try route.lab.play()
        try route.passSome()
        route.engine.silence(over: .zero)
        route.engine.releaseDevice()
        try route.lab.wait(for: .deviceClosed)
        route.setAvailable(false)
        route.engine.reacquireDevice()
        route.engine.play(gain: 1, over: .zero)
        let turns = route.engine.progress.renderTurns
        try route.lab.pass("attempts") { _ in route.engine.progress.renderTurns > turns + 2 }
        route.setAvailable(true)
        _ = try route.lab.waitForEffect()
        try route.passSome()
        #expect(!route.lab.events.contains { if case .routeLost = $0 { true } else { false } })
    }

    /// A pause that is ordered during the exchange of the devices must last.
    @Test func pauseDuringAnExchangeLasts() throws {
        let route = try RouteLab()
        try route.lab.play()
        try route.passSome()
        route.setAvailable(false)
        _ = try route.waitForLoss()
        // The supervisor does the same with PauseOnRouteLoss=yes.
        route.engine.silence(over: .zero)
        route.engine.rebuild()
        try route.lab.pass("a deck") { _ in !route.engine.isLoading }
        let frame = route.frame
        route.setAvailable(true)
        _ = try route.waitForReturn()
        route.engine.rebuild()
        try route.lab.pass("a deck") { _ in !route.engine.isLoading }
        #expect(route.frame == frame)
        route.engine.play(gain: 1, over: .zero)
        _ = try route.lab.waitForEffect()
        try route.passSome()
        let runs = try route.heard()
        #expect(runs.last?.number == frame + 1)
    }

    @Test func positionSurvivesAChangeOfRateAndChannels() throws {
        saboteur_plan_format("speakers", 44_100, 1)
        defer { saboteur_plan_format("speakers", 0, 0) }
        let route = try RouteLab()
        try route.lab.play()
        try route.passSome(24_000)
        route.setAvailable(false)
        let before = try #require(route.engine.playhead?.position)
        _ = try route.waitForLoss()
        let parked = try #require(route.engine.playhead?.position)
        #expect(parked >= before - .milliseconds(200) && parked <= before + .milliseconds(200))
        let format = try route.lab.wait("other format") {
            if case .configurationChanged(let format) = $0 { format } else { nil }
        }
        #expect(format == StreamFormat(rate: 44_100, channels: 1))
        route.engine.rebuild()
        #expect(route.engine.playhead?.position == parked)
        try route.passSome(24_000)
        route.setAvailable(true)
        _ = try route.waitForReturn()
        let returned = try #require(route.engine.playhead?.position)
        route.engine.rebuild()
        try route.passSome()
        let next = try #require(try route.heard().last?.number)
        // The playhead counts frames of the track, even on a device with a different rate.
        #expect(abs((returned / .seconds(1)) * 48_000 + 1 - Double(next)) <= 1)
    }

    /// Another program requests the device, and releases it again. Unlike after a loss, it is known exactly which frames
    /// were played.
    @Test func deviceOfAnotherProgramIsReplacedAndUsedAgain() throws {
        let route = try RouteLab()
        try route.lab.play()
        for _ in 0..<10 {
            try route.passSome()
            #expect(route.engine.isUsing(0) && !route.engine.isUsing(1))
            route.engine.withhold([0])
            let lost = try route.waitForLoss()
            #expect(lost.index == 1 && lost.reason?.code == EBUSY && lost.reason?.device == "headphones")
            #expect(!route.engine.isUsing(0) && route.engine.isUsing(1))
            route.engine.rebuild()
            try route.passSome()
            route.engine.withhold([])
            #expect(try route.waitForReturn().index == 0)
            route.engine.rebuild()
        }
        try route.passSome()
        #expect(route.losses == 0)
        let runs = try route.heard()
        #expect(runs.count > 20 && zip(runs, runs.dropFirst()).allSatisfy { $0.next == $1.number }, "\(runs)")
    }

    @Test func nobodyTriesToOpenAWithheldDevice() throws {
        let route = try RouteLab()
        // An attempt would be counted.
        route.setAvailable(false)
        route.engine.withhold([0])
        try route.lab.play()
        let isFallback = route.lab.events.contains {
            if case .routeFound(let route) = $0 { route.index == 1 && route.reason?.code == EBUSY } else { false }
        }
        #expect(isFallback)
        for _ in 0..<3 {
            route.makeSomethingAppear()
            try route.passSome()
        }
        #expect(saboteur_hits(SABOTEUR_OPEN) == 0)
        route.setAvailable(true)
        try route.passSome()
        #expect(!route.lab.events.contains { if case .routeBack = $0 { true } else { false } })
        route.engine.withhold([])
        #expect(try route.waitForReturn().index == 0)
    }

    @Test func onlyDeviceIsLostWhileAnotherProgramUsesIt() throws {
        let route = try RouteLab { $0.fallbacks.devices = [] }
        try route.lab.play()
        try route.passSome()
        route.engine.withhold([0])
        let lost = try route.lab.wait("loss") { if case .deviceLost(let error) = $0 { error } else { nil } }
        #expect(lost.code == EBUSY && lost.device == "headphones")
        #expect(route.engine.isDeviceClosed && !route.engine.isUsing(0))
        let end = route.frame
        // It is tried again and again, but never opened.
        let turns = route.engine.progress.renderTurns
        try route.lab.pass("attempts") { _ in route.engine.progress.renderTurns > turns + 20 }
        #expect(route.engine.isDeviceClosed)
        route.engine.withhold([])
        route.engine.retryDevice()
        _ = try route.lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
        route.engine.rebuild()
        route.engine.play(gain: 1, over: .zero)
        _ = try route.lab.waitForEffect()
        try route.passSome()
        let runs = try route.heard()
        #expect(runs.contains { $0.next == end + 1 } && runs.contains { $0.number == end + 1 }, "\(end): \(runs)")
    }

    /// Unlike a preferred device that has returned, another program does not wait for the end of a sound, which continues
    /// on the next device.
    @Test func soundDoesNotDelayAnotherProgram() throws {
        let route = try RouteLab(sound: 48_000 * 60)
        try route.lab.play()
        route.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        func waitForSound() throws {
            try route.lab.wait("sound") { if case .soundHeard(1, _) = $0 { true } else { nil } }
        }
        try waitForSound()
        route.engine.withhold([0])
        #expect(try route.waitForLoss().index == 1)
        try waitForSound()
        #expect(route.engine.isUsing(1))
    }

    /// A request that ends while the device is being closed does not leave it closed.
    @Test func deviceIsUsedAgainIfARequestEndsAtOnce() throws {
        let route = try RouteLab { $0.fallbacks.devices = [] }
        try route.lab.play()
        try route.passSome()
        route.engine.withhold([0])
        route.engine.withhold([])
        try route.passSome(24_000)
        #expect(route.losses == 0 && route.engine.isUsing(0))
        let runs = try route.heard()
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.next == $1.number }, "\(runs)")
    }

    /// The device is lost again as soon as it has returned.
    @Test func unsteadyDeviceIsReportedOnce() throws {
        let route = try RouteLab { $0.fallbacks.settle = Backoff(from: .milliseconds(5), to: .seconds(30)) }
        try route.lab.play()
        for _ in 0..<5 {
            route.setAvailable(false)
            _ = try route.waitForLoss()
            route.engine.rebuild()
            route.setAvailable(true)
            _ = try route.waitForReturn()
            route.engine.rebuild()
        }
        let settles = route.lab.events.compactMap {
            if case .routeUnsteady("headphones", let settle) = $0 { settle } else { nil }
        }
        #expect(settles == [.milliseconds(40)])
    }
}

@Suite struct FlapBackoffTests {
    private let second = 1_000_000_000

    @Test func settlingTimeDoublesWhileADeviceKeepsDisappearing() {
        var backoff = FlapBackoff(devices: 2, Backoff(from: .seconds(1), to: .seconds(60)))
        var settles: [Duration] = []
        var reports = 0
        for round in 0..<8 {
            backoff.opened(0, at: round * second)
            if backoff.lost(0, at: round * second + 1), backoff.noteFlap(0) { reports += 1 }
            settles.append(backoff.settle(of: 0))
        }
        #expect(settles == [2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(reports == 1 && backoff.settle(of: 1) == .seconds(1))
    }

    @Test func settlingTimeIsResetForADeviceThatLasted() {
        var backoff = FlapBackoff(devices: 1, Backoff(from: .seconds(1), to: .seconds(60)))
        backoff.opened(0, at: 0)
        _ = backoff.lost(0, at: 1)
        _ = backoff.noteFlap(0)
        backoff.opened(0, at: 10 * second)
        // The device was closed and opened again, because nothing played.
        backoff.opened(0, at: 60 * second)
        #expect(backoff.lost(0, at: 70 * second) == false)
        #expect(backoff.settle(of: 0) == .seconds(1))
    }

    @Test func deviceThatWasLeftIsNotCountedAsFlapping() {
        var backoff = FlapBackoff(devices: 1, Backoff(from: .seconds(1), to: .seconds(60)))
        backoff.opened(0, at: 0)
        backoff.left(0)
        #expect(backoff.lost(0, at: 1) == false)
    }
}
