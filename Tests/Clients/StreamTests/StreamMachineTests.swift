import Testing

@testable import Stream

@Suite struct StreamMachineTests {
    private var machine = StreamMachine(seed: 7, at: .zero)

    private func at(_ seconds: Double) -> Duration { .seconds(seconds) }

    /// Connects at 0 s and plays from 2 s on.
    private mutating func play() {
        _ = machine.handle(.time, at: .zero)
        _ = machine.handle(.decoded(buffered: at(1)), at: at(1))
        _ = machine.handle(.decoded(buffered: at(3)), at: at(2))
    }

    @Test mutating func buffersBeforeItPlays() {
        #expect(machine.handle(.time, at: .zero) == [.connect])
        #expect(machine.handle(.decoded(buffered: at(2.9)), at: at(1)) == [] && !machine.isWriting)
        #expect(machine.handle(.decoded(buffered: at(3)), at: at(1.1)) == [.startWriting] && machine.isWriting)
    }

    @Test mutating func connectionWithoutAudioIsGivenUpAndTheReasonIsReported() {
        _ = machine.handle(.time, at: .zero)
        #expect(machine.handle(.time, at: at(14.9)) == [])
        #expect(
            machine.handle(.time, at: at(15)) == [.disconnect, .report("no audio has arrived within 15.0 s")])
    }

    @Test mutating func stalledConnectionIsGivenUpWhileTheBufferStillPlays() {
        play()
        #expect(machine.deadline == at(7))
        #expect(machine.handle(.time, at: at(6.9)) == [])
        #expect(machine.handle(.time, at: at(7)) == [.disconnect] && machine.isWriting)
        #expect(
            machine.handle(.drained, at: at(7.5)) == [.stopWriting, .report("no audio has arrived for 5.0 s")])
    }

    @Test mutating func lossThatTheBufferBridgesIsNotReported() {
        play()
        #expect(machine.handle(.failed("reset"), at: at(3)) == [.disconnect])
        #expect(machine.handle(.time, at: at(4.3)) == [.connect])
        #expect(machine.handle(.decoded(buffered: at(1)), at: at(5)) == [] && machine.isWriting)
        // The former failure is not the reason if the buffer runs dry later.
        #expect(machine.handle(.drained, at: at(6)) == [.stopWriting])
    }

    @Test mutating func dryBufferIsFilledAgainBeforeItPlays() {
        play()
        #expect(machine.handle(.drained, at: at(5)) == [.stopWriting])
        #expect(machine.handle(.drained, at: at(5)) == [])
        #expect(machine.handle(.decoded(buffered: at(1)), at: at(6)) == [] && !machine.isWriting)
        #expect(machine.handle(.decoded(buffered: at(3)), at: at(7)) == [.startWriting])
    }

    @Test mutating func problemIsReportedOnceAndClearsWhenItPlays() {
        _ = machine.handle(.time, at: .zero)
        #expect(machine.handle(.failed("404"), at: at(1)) == [.disconnect, .report("404")])
        #expect(machine.handle(.time, at: at(3)) == [.connect])
        #expect(machine.handle(.failed("404"), at: at(4)) == [.disconnect])
        #expect(machine.handle(.time, at: at(8)) == [.connect])
        #expect(machine.handle(.decoded(buffered: at(3)), at: at(9)) == [.startWriting, .report(nil)])
    }

    @Test mutating func pausesDoubleUpToAMinuteAndVaryByAFifth() throws {
        var (now, pauses) = (Duration.zero, [Double]())
        for _ in 0..<9 {
            #expect(machine.handle(.time, at: now) == [.connect])
            _ = machine.handle(.failed("reset"), at: now)
            pauses.append((machine.deadline - now) / .seconds(1))
            now = machine.deadline
        }
        for (pause, expected) in zip(pauses, [1.0, 2, 4, 8, 16, 32, 60, 60, 60]) {
            #expect((0.8...1.2).contains(pause / expected), "\(pauses)")
        }
        #expect(Set(zip(pauses, [1.0, 2, 4, 8, 16, 32, 60, 60, 60]).map { $0 / $1 }).count > 5)
    }

    @Test mutating func steadyPlaybackShortensThePauseAgain() {
        for second in [0.0, 10, 20, 40] {
            _ = machine.handle(.time, at: at(second))
            _ = machine.handle(.failed("reset"), at: at(second))
        }
        _ = machine.handle(.time, at: at(100))
        _ = machine.handle(.decoded(buffered: at(3)), at: at(101))
        var brief = machine
        _ = brief.handle(.decoded(buffered: at(3)), at: at(110.9))
        _ = brief.handle(.failed("reset"), at: at(110.9))
        #expect(brief.deadline > at(120))
        _ = machine.handle(.decoded(buffered: at(3)), at: at(111))
        _ = machine.handle(.failed("reset"), at: at(111))
        #expect(machine.deadline < at(113))
    }

    @Test mutating func anotherProcessContinuesWithThePauses() {
        // The station ends the process, again and again.
        var now = Duration.zero
        for expected in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(machine.handle(.time, at: now).last == .connect)
            let (began, next) = (now, StreamMachine(seed: 7, after: machine.backoff, at: now + at(0.1)))
            let pause = (next.deadline - began) / .seconds(1)
            #expect((0.8...1.2).contains(pause / expected), "\(pause)")
            machine = next
            #expect(
                machine.handle(.time, at: now + at(0.1))
                    == [.report("the last attempt to receive the station was cut off")])
            now = machine.deadline
        }
        // A failure keeps its reason.
        _ = machine.handle(.time, at: now)
        _ = machine.handle(.failed("404"), at: now + at(1))
        machine = StreamMachine(seed: 7, after: machine.backoff, at: now + at(2))
        #expect(machine.handle(.time, at: now + at(2)) == [.report("404")])
        // After a long time, the attempt begins at once.
        var late = StreamMachine(seed: 7, after: machine.backoff, at: now + at(100))
        #expect(late.handle(.time, at: now + at(100)) == [.connect])
        #expect(late.handle(.time, at: now + at(101)) == [])
        // Steady playback is not an attempt.
        now = machine.deadline
        _ = machine.handle(.time, at: now)
        _ = machine.handle(.decoded(buffered: at(3)), at: now)
        _ = machine.handle(.decoded(buffered: at(3)), at: now + at(10))
        #expect(StreamMachine(seed: 7, after: machine.backoff, at: now + at(11)).deadline == now + at(11))
    }

    @Test mutating func audioOfAConnectionThatWasGivenUpIsIgnored() {
        _ = machine.handle(.time, at: .zero)
        _ = machine.handle(.failed("reset"), at: at(1))
        #expect(machine.handle(.decoded(buffered: at(3)), at: at(1)) == [] && !machine.isWriting)
        #expect(machine.handle(.failed("again"), at: at(1)) == [])
    }
}

@Suite struct StreamBackoffTests {
    private func backoff(_ pause: Double, began: Double, _ failure: String? = nil) -> StreamBackoff {
        var backoff = StreamBackoff()
        (backoff.pause, backoff.began, backoff.failure) = (.seconds(pause), .seconds(began), failure)
        return backoff
    }

    @Test func attemptsSurviveInATextWithoutAddresses() {
        var backoffs = StreamBackoffs()
        backoffs.record(
            backoff(4, began: 100, "the status 404"), of: "radio", "http://user:secret@a/", at: .seconds(100))
        backoffs.record(backoff(60, began: 110.5), of: "radio", "http://b/", at: .seconds(111))
        #expect(!String(decoding: backoffs.text, as: UTF8.self).contains("secret"))
        let copy = StreamBackoffs(backoffs.text)
        #expect(copy == backoffs)
        #expect(copy.attempts(of: "radio", "http://user:secret@a/", at: .seconds(111)).failure == "the status 404")
        #expect(copy.attempts(of: "radio", "http://b/", at: .seconds(111)) == backoff(60, began: 110.5))
        #expect(copy.attempts(of: "radio", "http://c/", at: .seconds(111)) == StreamBackoff())
        #expect(copy.attempts(of: "other", "http://b/", at: .seconds(111)) == StreamBackoff())
    }

    @Test func attemptsThatAreOldOrSuccessfulAreForgotten() {
        var backoffs = StreamBackoffs()
        backoffs.record(backoff(4, began: 100), of: "radio", "http://a/", at: .seconds(100))
        #expect(backoffs.attempts(of: "radio", "http://a/", at: .seconds(221)) == StreamBackoff())
        // The clock has been reset by a boot.
        #expect(backoffs.attempts(of: "radio", "http://a/", at: .seconds(99)) == StreamBackoff())
        backoffs.record(backoff(1, began: 221), of: "radio", "http://b/", at: .seconds(221))
        backoffs.record(StreamBackoff(), of: "radio", "http://b/", at: .seconds(222))
        #expect(backoffs.text.isEmpty)
    }

    @Test(arguments: [
        "", "\n", "x", "a 1000", "a x 1", "a 1000 x", "a 0 1", "a 60001 1", "a 1000 -1", "a 1000 9223372036854775807",
        "a 99999999999999999999 1",
        "\u{0} \u{0} \u{0}",
    ])
    func damagedLineIsIgnored(line: String) {
        let good = "b 1000 2000 reason\n"
        let read = StreamBackoffs(Array("\(line)\n\(good)".utf8))
        #expect(read.text == Array(good.utf8))
    }
}

@Suite struct StreamPaceTests {
    private let rate = 48_000

    @Test func writesInRealTimeWhateverTheTurns() {
        var (pace, written) = (StreamPace(rate: rate), 0)
        for turn in 0...1000 {
            let due = pace.due(at: .milliseconds(turn * 20 + turn % 3), buffered: .seconds(3))
            #expect(due.dropped == 0)
            pace.count(due.written)
            written += due.written
        }
        #expect(abs(written - 48_000 * 20) < 200)
    }

    @Test func followsTheBufferByAtMostATwentiethOfAPercent() {
        for (buffered, expected) in [(0.0, 47_976.0), (1.5, 47_988), (3, 48_000), (6, 48_024), (60, 48_024)] {
            var (pace, written) = (StreamPace(rate: rate), 0)
            for turn in 0...5000 {
                let due = pace.due(at: .milliseconds(turn * 20), buffered: .seconds(buffered))
                pace.count(due.written)
                written += due.written
            }
            #expect(abs(Double(written) / 100 - expected) < 1, "\(buffered): \(written)")
        }
    }

    @Test func dropsWhatIsMoreThanASecondLate() {
        var pace = StreamPace(rate: rate)
        _ = pace.due(at: .zero, buffered: .seconds(3))
        let late = pace.due(at: .seconds(10), buffered: .seconds(3))
        #expect(late.dropped == 9 * rate && late.written == rate)
        // What the pipe does not accept stays due.
        #expect(pace.due(at: .seconds(10), buffered: .seconds(3)).written == rate)
        pace.restart()
        #expect(pace.due(at: .seconds(20), buffered: .seconds(3)).written == 0)
    }
}
