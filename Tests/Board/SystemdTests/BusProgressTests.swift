import Testing

@testable import Systemd

@Suite struct BusProgressTests {
    private var progress = BusProgress()

    @Test mutating func nothingUnreadIsNeverAStall() {
        progress.note(unread: 700, at: .seconds(1))
        progress.note(unread: 0, at: .seconds(9))
        #expect(progress.deadline == nil && !progress.isStalled(at: .seconds(99)))
    }

    @Test mutating func busThatReadsNothingIsStalledHoweverMuchIsAdded() {
        for time in 0..<5 { progress.note(unread: 700 * (time + 1), at: .seconds(time)) }
        #expect(progress.deadline == .seconds(5) && !progress.isStalled(at: .milliseconds(4_999)))
        #expect(progress.isStalled(at: .seconds(5)))
    }

    @Test mutating func busThatReadsALongQueueSlowlyIsNotStalled() {
        for time in 0..<40 {
            progress.note(unread: 8 << 20, at: .seconds(time))
            progress.note(unread: (8 << 20) - 300_000, at: .seconds(time))
            #expect(!progress.isStalled(at: .seconds(time)))
        }
    }

    /// A program that reads one answer every few seconds only lets the bus read another one.
    @Test mutating func occasionalReadsDoNotPostponeTheTimeout() {
        for time in 0..<5 {
            progress.note(unread: 800_000, at: .seconds(time))
            progress.note(unread: 799_000, at: .seconds(time))
        }
        #expect(progress.isStalled(at: .seconds(5)))
    }

    @Test mutating func newMessagesGetTheFullTimeout() {
        progress.note(unread: 700, at: .seconds(1))
        progress.note(unread: 0, at: .seconds(2))
        progress.note(unread: 700, at: .seconds(3))
        #expect(progress.deadline == .seconds(8))
    }
}
