import Dispatch
import Glibc
import Synchronization
import Testing
import Threads

/// A record of the requests to a worker, which answers when the test allows it.
private final class Log: Sendable {
    private let requests = Mutex<[Int]>([])
    private let begun = DispatchSemaphore(value: 0)
    private let answers = DispatchSemaphore(value: 0)
    private let finishes = DispatchSemaphore(value: 0)
    /// The number of requests that fail.
    private let failures: Mutex<Int>
    let pause: Duration

    init(failures: Int = 0, pause: Duration = .seconds(3600)) {
        self.failures = Mutex(failures)
        self.pause = pause
    }

    func handle(_ request: Int) -> MailboxReply<Int> {
        requests.withLock { $0.append(request) }
        begun.signal()
        answers.wait()
        let fails = failures.withLock { left in
            left -= 1
            return left >= 0
        }
        return fails ? .retry(-request, after: pause) : .done(request)
    }

    func finish() { finishes.signal() }

    var handled: [Int] { requests.withLock { $0 } }
    func waitUntilBegun() { begun.wait() }
    func answer(_ count: Int = 1) { for _ in 0..<count { answers.signal() } }
    func waitUntilFinished() { finishes.wait() }
}

private struct Worker: MailboxWorker {
    let log: Log

    func handle(_ request: Int) -> MailboxReply<Int> { log.handle(request) }
    func finish() { log.finish() }
}

@Suite struct MailboxThreadTests {
    private typealias Mailbox = MailboxThread<Int, Int>

    private func mailbox(
        _ log: Log, _ lifetime: Mailbox.Lifetime = .untilEnd, outcomes: Mailbox.Outcomes = .all,
        isNews: @escaping Mailbox.News = { _, _ in true }
    ) -> Mailbox {
        MailboxThread("mailbox-test", lifetime: lifetime, outcomes: outcomes, isNews: isNews, unavailable: 0) {
            Worker(log: log)
        }
    }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    @Test func newestRequestReplacesTheQueuedOne() {
        let log = Log()
        let mailbox = mailbox(log)
        mailbox.send(1)
        log.waitUntilBegun()
        for request in 2...9 { mailbox.send(request) }
        #expect(!mailbox.isIdle && mailbox.busyTime != nil)
        log.answer()
        log.waitUntilBegun()
        log.answer()
        var outcome = mailbox.takeOutcome(within: nil)
        while outcome != 9 { outcome = mailbox.takeOutcome(within: nil) }
        #expect(log.handled == [1, 9])
        #expect(mailbox.isIdle && mailbox.busyTime == nil)
    }

    @Test func descriptorIsReadableExactlyWhileThereIsAnOutcome() {
        let log = Log()
        let mailbox = mailbox(log)
        #expect(!isReadable(mailbox.descriptor) && mailbox.takeOutcome() == nil)
        log.answer(2)
        mailbox.send(1)
        #expect(mailbox.takeOutcome(within: nil) == 1)
        #expect(!isReadable(mailbox.descriptor) && mailbox.takeOutcome() == nil)
        mailbox.send(2)
        var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, -1) == 1)
        #expect(isReadable(mailbox.descriptor) && mailbox.takeOutcome() == 2)
        #expect(!isReadable(mailbox.descriptor))
    }

    @Test func outcomeThatIsNotNewsWakesNobodyButCanBeTaken() {
        let log = Log()
        let mailbox = mailbox(log, isNews: { outcome, previous in outcome != 2 || previous == nil })
        for request in [1, 2] {
            log.answer()
            mailbox.send(request)
            while !mailbox.isIdle { sched_yield() }
            #expect(isReadable(mailbox.descriptor) == (request == 1))
            #expect(mailbox.takeOutcome() == request)
        }
    }

    @Test func outcomeOfAnOvertakenRequestIsDroppedIfOnlyTheNewestCounts() {
        let log = Log()
        let mailbox = mailbox(log, outcomes: .newestRequest)
        mailbox.send(1)
        log.waitUntilBegun()
        mailbox.send(2)
        log.answer()
        log.waitUntilBegun()
        #expect(mailbox.takeOutcome() == nil)
        log.answer()
        #expect(mailbox.takeOutcome(within: nil) == 2)
    }

    @Test func endExecutesTheQueuedRequestAndIgnoresLaterOnes() {
        let log = Log()
        let mailbox = mailbox(log)
        mailbox.send(1)
        log.waitUntilBegun()
        mailbox.send(2)
        mailbox.end()
        mailbox.send(3)
        log.answer(3)
        log.waitUntilFinished()
        #expect(log.handled == [1, 2])
        #expect(mailbox.isIdle && mailbox.takeOutcome() == 2)
    }

    @Test func releaseEndsTheThread() {
        let log = Log()
        var mailbox: Mailbox? = mailbox(log)
        mailbox?.send(1)
        log.waitUntilBegun()
        mailbox?.send(2)
        mailbox = nil
        log.answer(2)
        log.waitUntilFinished()
        #expect(log.handled == [1, 2])
    }

    @Test func failedRequestWaitsForTheEndOfThePause() {
        let log = Log(failures: 1)
        let mailbox = mailbox(log)
        log.answer()
        mailbox.send(1)
        #expect(mailbox.takeOutcome(within: nil) == -1)
        mailbox.send(2)
        // No request can be handled before the pause is over.
        #expect(mailbox.isIdle && log.handled == [1])
        mailbox.send(3, urgently: true)
        mailbox.send(4)
        #expect(!mailbox.isIdle)
        log.answer(2)
        var outcome = mailbox.takeOutcome(within: nil)
        while outcome != 4 { outcome = mailbox.takeOutcome(within: nil) }
        #expect(log.handled.filter { $0 == 2 } == [])
    }

    @Test func failedRequestIsTriedAgainUntilItSucceeds() {
        let log = Log(failures: 2, pause: .milliseconds(1))
        let mailbox = mailbox(log)
        log.answer(3)
        mailbox.send(1)
        var outcome = mailbox.takeOutcome(within: nil)
        while outcome != 1 { outcome = mailbox.takeOutcome(within: nil) }
        #expect(log.handled == [1, 1, 1])
    }

    @Test func endTriesAFailedRequestOnceMore() {
        let log = Log(failures: 2)
        let mailbox = mailbox(log)
        log.answer(2)
        mailbox.send(1)
        #expect(mailbox.takeOutcome(within: nil) == -1)
        mailbox.end()
        log.waitUntilFinished()
        #expect(log.handled == [1, 1])
    }

    @Test func threadThatExistsOnlyWhileBusyStartsAgain() {
        let log = Log()
        let mailbox = mailbox(log, .whileBusy)
        #expect(!mailbox.sendIfBusy(1))
        log.answer(2)
        for request in 2...3 {
            mailbox.send(request)
            #expect(mailbox.takeOutcome(within: nil) == request)
            log.waitUntilFinished()
        }
        #expect(log.handled == [2, 3])
    }

    @Test func requestIsAddedOnlyToABusyThread() {
        let log = Log()
        let mailbox = mailbox(log, .whileBusy, outcomes: .newestRequest)
        mailbox.send(1)
        log.waitUntilBegun()
        #expect(mailbox.sendIfBusy(2))
        log.answer(2)
        #expect(mailbox.takeOutcome(within: nil) == 2)
        #expect(!mailbox.sendIfBusy(3))
        #expect(log.handled == [1, 2])
    }
}
