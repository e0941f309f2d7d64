import Chance
import Effort
import Signals
import Testing

@testable import Stream

/// Hours of random bad servers on a virtual clock, with what conditions the arrival of audio in tacetd.
@Suite struct StreamSimulationTests {
    /// What a server does for some time.
    private enum Weather: CaseIterable { case good, slow, stalled, refused, ended, silentConnection }

    /// The time without bytes after which tacetd's pipe reports that audio has ceased (`PipeInput.pause`).
    private static let pipePause = Duration.milliseconds(250)
    private static let step = Duration.milliseconds(20)

    private struct World {
        var chance: SplitMix
        var machine: StreamMachine
        var conditioner: ArrivalConditioner
        var pace = StreamPace(rate: 48_000)
        var (weather, until) = (Weather.good, Duration.zero)
        var isConnected = false
        /// The time of the audio that the server may still send at once.
        var burst = Duration.zero
        var buffered = Duration.zero
        var lastWritten: Duration?
        var ceased: Duration?
        var (longestSilence, flaps, playedTime) = (Duration.zero, 0, Duration.zero)
        var silence = Duration.zero

        init(seed: UInt64, _ policy: ArrivalPolicy) {
            chance = SplitMix(seed: seed)
            machine = StreamMachine(seed: seed, at: .zero)
            conditioner = ArrivalConditioner(policy: policy, arrives: false, at: .zero)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func libraryIsHeardSoonAndNothingFlaps(seed: UInt64) {
        let policy = ArrivalPolicy(settle: .seconds(10))
        var world = World(seed: seed, policy)
        var now = Duration.zero
        let end = Duration.seconds(Effort.isExhaustive ? 24 * 3600 : 2 * 3600)
        while now < end {
            step(&world, at: now, policy)
            now += Self.step
        }
        #expect(world.longestSilence <= policy.idle + .seconds(1), "\(world.longestSilence)")
        #expect(world.flaps == 0 && world.playedTime > end / 10, "\(world.playedTime)")
    }

    private func step(_ world: inout World, at now: Duration, _ policy: ArrivalPolicy) {
        changeWeather(&world, at: now)
        carryOut(world.machine.handle(.time, at: now), &world)
        receive(&world, at: now)
        write(&world, at: now)
        let arrives = world.lastWritten.map { now - $0 < Self.pipePause } ?? false
        if !arrives, let last = world.lastWritten, now - last >= Self.pipePause {
            world.conditioner.arrival(false, at: now)
        } else if arrives {
            world.conditioner.arrival(true, at: now)
        }
        switch world.conditioner.advance(to: now) {
        case .began:
            if let ceased = world.ceased, now - ceased < policy.settle ?? .zero { world.flaps += 1 }
        case .ceased: world.ceased = now
        case nil: break
        }
        // Nothing is heard while the input is selected but nothing is written.
        let isSilent = world.conditioner.isSounding && world.lastWritten != now
        world.silence = isSilent ? world.silence + Self.step : .zero
        world.longestSilence = max(world.longestSilence, world.silence)
        if world.conditioner.isSounding, !isSilent { world.playedTime += Self.step }
    }

    private func changeWeather(_ world: inout World, at now: Duration) {
        guard now >= world.until else { return }
        world.weather = Weather.allCases.randomElement(using: &world.chance) ?? .good
        let longest = world.weather == .good ? 200_000 : 20_000
        world.until = now + .milliseconds(Int.random(in: 10...longest, using: &world.chance))
        if world.isConnected, world.weather == .ended || world.weather == .refused {
            carryOut(world.machine.handle(.failed("ended"), at: now), &world)
        }
    }

    private func carryOut(_ effects: [StreamMachine.Effect], _ world: inout World) {
        for effect in effects {
            switch effect {
            case .connect:
                world.isConnected = true
                world.burst = .milliseconds(Int.random(in: 0...10_000, using: &world.chance))
            case .disconnect: world.isConnected = false
            case .startWriting: world.pace.restart()
            case .stopWriting, .report: break
            }
        }
    }

    private func receive(_ world: inout World, at now: Duration) {
        guard world.isConnected else { return }
        var arrived = Duration.zero
        switch world.weather {
        case .good:
            arrived = Self.step + min(world.burst, .milliseconds(200))
            world.burst -= min(world.burst, .milliseconds(200))
        case .slow: arrived = Self.step * 7 / 10
        case .stalled, .silentConnection: break
        case .refused, .ended:
            if Int.random(in: 0..<50, using: &world.chance) == 0 {
                carryOut(world.machine.handle(.failed("refused"), at: now), &world)
            }
        }
        guard arrived > .zero else { return }
        world.buffered = min(world.buffered + arrived, .seconds(5))
        carryOut(world.machine.handle(.decoded(buffered: world.buffered), at: now), &world)
    }

    private func write(_ world: inout World, at now: Duration) {
        guard world.machine.isWriting else { return }
        let due = world.pace.due(at: now, buffered: world.buffered)
        guard due.written > 0 else { return }
        let time = Duration.nanoseconds(due.written * 1_000_000_000 / 48_000)
        world.pace.count(due.written)
        guard world.buffered >= time else {
            world.buffered = .zero
            return carryOut(world.machine.handle(.drained, at: now), &world)
        }
        world.buffered -= time
        world.lastWritten = now
    }
}
