import Clocks
import Playback
import Synchronization
import Systemd
import Testing
import Threads

@testable import Appliance
@testable import Recording

@Suite struct WatchdogTests {
    /// An engine whose threads make progress when the test allows it.
    private final class FakeEngine: Watched {
        var render = 1
        var storage = 1
        var isHeldByDevice = false
        /// True if poking wakes the threads, as it does while they are healthy.
        var isWell = true
        private(set) var pokes = 0
        private(set) var poked: Set<ProgressWatch.Part> = []

        var progress: EngineProgress? {
            EngineProgress(
                renderTurns: render, storageTurns: storage, isHeldByDevice: isHeldByDevice, underruns: 0)
        }

        /// The turns of the recorder's threads, or nil without a recorder.
        var recorder: (capture: Int, storage: Int)?

        var recorderProgress: RecorderProgress? {
            recorder.map {
                RecorderProgress(
                    captureTurns: $0.capture, storageTurns: $0.storage, isHeldByDevice: false, isHeldByStorage: false)
            }
        }

        func poke(_ parts: [ProgressWatch.Part]) {
            pokes += 1
            poked.formUnion(parts)
            guard isWell else { return }
            if parts.contains(.render) { render += 1 }
            if parts.contains(.storage) { storage += 1 }
            if parts.contains(.capture) { recorder?.capture += 1 }
            if parts.contains(.recording) { recorder?.storage += 1 }
        }
    }

    /// The complaints, which arrive on two threads.
    private final class Complaints: Sendable {
        private let parts = Mutex<[[ProgressWatch.Part]]>([])
        let bell = WakeUp()
        var all: [[ProgressWatch.Part]] { parts.withLock { $0 } }
        func add(_ new: [ProgressWatch.Part]) {
            parts.withLock { $0.append(new) }
            bell.ring()
        }
        /// The complaints about the engine. Those about the control thread arrive whenever the machine stalls.
        var ofEngine: [[ProgressWatch.Part]] { all.filter { $0 != [.control] } }
    }

    private final class Feed {
        var count = 0
        var answer = ServiceManager.Attempt.sent
    }

    private let loop: EventLoop
    private let engine = FakeEngine()
    private let feed = Feed()
    private let complaints = Complaints()

    init() throws { loop = try EventLoop() }

    private func watchdog(_ interval: Duration = .milliseconds(40), watching: Bool = true) throws -> Watchdog {
        let (engine, feed, complaints) = (engine, feed, complaints)
        return try Watchdog(
            interval: interval, in: loop,
            notify: {
                feed.count += 1
                return feed.answer
            }, complain: { complaints.add($0) }
        ) { watching ? engine : nil }
    }

    @Test func feedsAsLongAsEveryThreadMakesProgress() throws {
        let watchdog = try watchdog()
        try loop.turn(until: feed.count >= 5, or: "keep-alive")
        #expect(complaints.ofEngine.isEmpty)
        // Each keep-alive requires new progress, which the watchdog requests.
        #expect(engine.pokes >= 4)
        withExtendedLifetime(watchdog) {}
    }

    /// An unnecessary wake-up costs power.
    @Test func doesNotWakeAThreadThatMakesProgress() throws {
        let watchdog = try watchdog()
        let limit = SystemClock.monotonic.now + .seconds(30)
        while feed.count < 6, SystemClock.monotonic.now < limit {
            engine.render += 1
            try loop.turn(within: .seconds(1))
        }
        #expect(feed.count == 6)
        #expect(engine.poked == [.storage])
        withExtendedLifetime(watchdog) {}
    }

    @Test(arguments: [[.render], [.storage], [.render, .storage]] as [[ProgressWatch.Part]])
    func stopsKeepAlivesAndComplainsOnceWhileAThreadIsStalled(stalled: [ProgressWatch.Part]) throws {
        engine.isWell = false
        let watchdog = try watchdog()
        var progress: [Bool] = []
        watchdog.onProgress = { if progress.last != $0 { progress.append($0) } }
        #expect(feed.count == 1)
        let pokes = engine.pokes
        let limit = SystemClock.monotonic.now + .seconds(30)
        while complaints.ofEngine.isEmpty || engine.pokes < pokes + 20, SystemClock.monotonic.now < limit {
            if !stalled.contains(.render) { engine.render += 1 }
            if !stalled.contains(.storage) { engine.storage += 1 }
            try loop.turn(within: .seconds(1))
        }
        #expect(feed.count == 1)
        #expect(complaints.ofEngine == [stalled])
        engine.isWell = true
        try loop.turn(until: feed.count >= 3, or: "keep-alive")
        #expect(complaints.ofEngine == [stalled])
        #expect(progress == [false, true])
        withExtendedLifetime(watchdog) {}
    }

    @Test(arguments: [[.capture], [.recording], [.capture, .recording]] as [[ProgressWatch.Part]])
    func stopsKeepAlivesWhileAThreadOfTheRecorderIsStalled(stalled: [ProgressWatch.Part]) throws {
        engine.recorder = (1, 1)
        engine.isWell = false
        let watchdog = try watchdog()
        #expect(feed.count == 1)
        let limit = SystemClock.monotonic.now + .seconds(30)
        while complaints.ofEngine.isEmpty, SystemClock.monotonic.now < limit {
            engine.render += 1
            engine.storage += 1
            if !stalled.contains(.capture) { engine.recorder?.capture += 1 }
            if !stalled.contains(.recording) { engine.recorder?.storage += 1 }
            try loop.turn(within: .seconds(1))
        }
        #expect(complaints.ofEngine == [stalled] && feed.count == 1)
        engine.isWell = true
        try loop.turn(until: feed.count >= 3, or: "keep-alive")
        withExtendedLifetime(watchdog) {}
    }

    /// The check shares the wake-up of an event that comes shortly before it, and does not cause another one.
    @Test func looksTogetherWithAnEventThatComesShortlyBefore() throws {
        let watchdog = try watchdog(.milliseconds(1600))
        engine.render += 1
        engine.storage += 1
        watchdog.lookIfDue()
        #expect(feed.count == 1)
        let start = SystemClock.monotonic.now
        let event = try loop.timer { watchdog.lookIfDue() }
        event.deadline = start + .milliseconds(700)
        let isCalled = try loop.turn(within: .seconds(30))
        #expect(isCalled && feed.count == 2)
    }

    @Test func feedsWhileTheDeviceHoldsTheRenderThread() throws {
        engine.isHeldByDevice = true
        engine.isWell = false
        let watchdog = try watchdog()
        let limit = SystemClock.monotonic.now + .seconds(30)
        while feed.count < 4, SystemClock.monotonic.now < limit {
            engine.storage += 1
            try loop.turn(within: .seconds(1))
        }
        #expect(feed.count == 4)
        #expect(complaints.ofEngine.isEmpty)
        withExtendedLifetime(watchdog) {}
    }

    @Test func feedsBetweenTwoInstallations() throws {
        let watchdog = try watchdog(watching: false)
        try loop.turn(until: feed.count >= 4, or: "keep-alive")
        #expect(engine.pokes == 0 && complaints.ofEngine.isEmpty)
        withExtendedLifetime(watchdog) {}
    }

    @Test func aNewEngineIsNotComparedWithItsPredecessor() throws {
        engine.isWell = false
        let watchdog = try watchdog()
        #expect(feed.count == 1)
        watchdog.startOver()
        try loop.turn(until: feed.count >= 2, or: "keep-alive")
        #expect(complaints.ofEngine.isEmpty)
    }

    @Test func triesAgainSoonWhileTheManagerIsBusy() throws {
        feed.answer = .busy
        // Without an immediate second attempt, the next one would follow after half an hour.
        let watchdog = try watchdog(.seconds(3600))
        #expect(feed.count == 1)
        engine.render += 1
        engine.storage += 1
        let isCalled = try loop.turn(within: .seconds(30))
        #expect(isCalled && feed.count == 2)
        withExtendedLifetime(watchdog) {}
    }

    @Test func complainsAboutAControlThreadThatDoesNotTurnItsLoop() throws {
        let watchdog = try watchdog()
        // This thread is the control thread, so the loop is not turned during the wait.
        complaints.bell.wait(.seconds(30))
        #expect(complaints.all == [[.control]])
        #expect(feed.count == 1)
        withExtendedLifetime(watchdog) {}
    }

    /// The control thread stays alive without a keep-alive while it waits for another thread. It asks that thread after at
    /// most nine sixteenths of the manager's timeout.
    @Test(arguments: [0, 7, 8, 9])
    func complaintOfControlComesBeforeTheManagerKillsIt(sixteenthsFromKeepAliveToLastLook: Int) {
        for interval in [Duration.seconds(2), .seconds(6), .seconds(10), .seconds(180)] {
            let life = ControlWatch.Life(lived: interval * sixteenthsFromKeepAliveToLastLook / 16, fed: .zero)
            let deadline = life.deadline(interval: interval)
            #expect(deadline + ControlWatch.respite(interval: interval) < interval)
            // The next check of a healthy thread is late by less than this.
            let pause = sixteenthsFromKeepAliveToLastLook == 0 ? interval * 9 / 16 : interval * 5 / 32
            #expect(deadline - life.lived > pause)
        }
    }
}
