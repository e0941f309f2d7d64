import AudioSession
import Testing

@testable import Appliance

@Suite struct LeaseTableTests {
    private let alarm = SignalID("alarm")

    private func book(_ change: (inout LeaseTable) -> Void) -> LeaseTable {
        var book = LeaseTable()
        change(&book)
        return book
    }

    @Test func signalThatNobodyHasAssertedIsReleased() {
        #expect(LeaseTable().level(of: alarm) == false && LeaseTable().deadline == nil)
    }

    @Test func twoProgramsAssertOneSignal() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set(alarm, true, by: ":1.2", called: "two", until: nil)
        }
        #expect(book.programs(asserting: alarm) == "one, two")
        book.set(alarm, false, by: ":1.1", called: "one", until: nil)
        #expect(book.level(of: alarm) == true && book.clients == [":1.2"])
        // The crash of one program does not end the assertion of the other.
        book.set(alarm, true, by: ":1.1", called: "one", until: nil)
        book.left(":1.2")
        #expect(book.level(of: alarm) == true)
        book.left(":1.1")
        #expect(book.level(of: alarm) == nil && book.loss(of: alarm) == "one has left the bus")
    }

    @Test func programWithoutAnAssertionReleasesAll() {
        let book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set(alarm, true, by: ":1.2", called: "two", until: .seconds(5))
            $0.set(alarm, false, by: ":1.3", called: "tacet", until: nil)
        }
        #expect(book.level(of: alarm) == false && book.clients == [":1.1", ":1.2"] && book.deadline == nil)
    }

    /// Programs do not notice a reload.
    @Test func assertionOutlivesTheAbsenceOfItsSignal() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set(alarm, true, by: ":1.2", called: "two", until: .seconds(5))
            $0.keep { _ in false }
        }
        // Both programs are still followed, and the lease still expires.
        #expect(book.clients == [":1.1", ":1.2"] && book.deadline == .seconds(5))
        book.advance(to: .seconds(5))
        book.keep { _ in true }
        #expect(book.level(of: alarm) == true && book.programs(asserting: alarm) == "one")
        book.set(alarm, false, by: ":1.2", called: "two", until: nil)
        #expect(book.level(of: alarm) == true)
    }

    @Test func assertionThatEndsDuringTheAbsenceIsNotALoss() {
        for end in 0..<3 {
            var book = book {
                $0.set(alarm, true, by: ":1.1", called: "one", until: end == 0 ? .seconds(5) : nil)
                $0.keep { _ in false }
            }
            switch end {
            case 0:
                book.advance(to: .seconds(5))
                // The program may still end its own assertion.
                #expect(book.clients == [":1.1"])
                book.left(":1.1")
            case 1: book.left(":1.1")
            default: book.withdraw(alarm, by: ":1.1")
            }
            #expect(book == LeaseTable())
            book.keep { _ in true }
            #expect(book.level(of: alarm) == false && book.loss(of: alarm) == nil)
        }
    }

    /// While a signal is absent, commands are accepted only from its own program.
    @Test func presentSignalIsNotWithdrawn() {
        var book = book { $0.set(alarm, true, by: ":1.1", called: "one", until: nil) }
        book.withdraw(alarm, by: ":1.1")
        #expect(book.level(of: alarm) == true)
    }

    @Test func lateRenewalFindsTheSignalAgain() {
        var book = book { $0.set(alarm, true, by: ":1.1", called: "one", until: .seconds(1)) }
        #expect(book.deadline == .seconds(1))
        book.advance(to: .milliseconds(999))
        #expect(book.level(of: alarm) == true)
        book.advance(to: .seconds(1))
        #expect(book.level(of: alarm) == nil && book.loss(of: alarm) == "the lease of one has expired")
        book.set(alarm, true, by: ":1.1", called: "one", until: .seconds(3))
        #expect(book.level(of: alarm) == true && book.loss(of: alarm) == nil)
    }

    @Test func renewalByAnotherClientIsASeparateLease() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: .seconds(1))
            $0.set(alarm, true, by: ":1.2", called: "two", until: .seconds(2))
        }
        book.advance(to: .seconds(1))
        #expect(book.level(of: alarm) == true && book.programs(asserting: alarm) == "two")
        book.advance(to: .seconds(2))
        #expect(book.level(of: alarm) == nil)
    }

    @Test func shorterRenewalReplacesALongerLease() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set(alarm, true, by: ":1.1", called: "one", until: .seconds(1))
        }
        book.advance(to: .seconds(1))
        #expect(book.level(of: alarm) == nil)
    }

    @Test func leasedDeassertionIsLostWithItsProgram() {
        var book = book { $0.set(alarm, false, by: ":1.1", called: "mqtt", until: nil, isHeld: true) }
        #expect(book.level(of: alarm) == false)
        book.left(":1.1")
        #expect(book.level(of: alarm) == nil)
        // A person can always end a signal and its fault.
        book.set(alarm, false, by: ":1.9", called: "tacet", until: nil)
        #expect(book.level(of: alarm) == false)
    }

    @Test func levelOfTheLastRunEndsWhenAProgramSetsTheSignal() {
        var book = book { $0.resume(alarm, until: .seconds(30)) }
        #expect(book.level(of: alarm) == true && book.clients.isEmpty && book.programs(asserting: alarm) == "")
        book.set(alarm, true, by: ":1.1", called: "one", until: nil)
        book.advance(to: .seconds(60))
        #expect(book.level(of: alarm) == true)
        // A reload does not restore a level that is already known.
        book.set(alarm, false, by: ":1.1", called: "one", until: nil)
        book.resume(alarm, until: .seconds(90))
        #expect(book.level(of: alarm) == false)
    }

    @Test func restartOfTheBusLosesAllAssertions() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set("phone-call", true, by: ":1.2", called: "two", until: .seconds(9))
            $0.resume("cover-closed", until: .seconds(30))
        }
        book.leaveBus(at: .seconds(2))
        book.returnToBus(isSame: false, at: .seconds(3))
        #expect(book.level(of: alarm) == nil && book.level(of: "phone-call") == nil)
        #expect(book.loss(of: alarm) == "the bus on which one asserted it has ended")
        #expect(book.level(of: "cover-closed") == true)
    }

    /// A fleet renews a release for as long as it is connected. Only the program that asserted the alarm could report
    /// that it is over.
    @Test func leasedDeassertionDoesNotHideALoss() {
        var book = book {
            $0.set(alarm, false, by: ":1.1", called: "tacet-mqtt", of: 990, until: .seconds(15), isHeld: true)
            $0.set(alarm, true, by: ":1.2", called: "panel", of: 1000, until: nil)
        }
        book.left(":1.2")
        #expect(book.level(of: alarm) == nil && book.loss(of: alarm) == "panel has left the bus")
        // A renewal or a new connection of the fleet does not end the loss either.
        for client in [":1.1", ":1.3"] {
            book.set(alarm, false, by: client, called: "tacet-mqtt", of: 990, until: .seconds(20), isHeld: true)
            #expect(book.level(of: alarm) == nil)
        }
        // A program of the same user, or a person, can end it.
        var released = book
        released.set(alarm, false, by: ":1.4", called: "panel", of: 1000, until: .seconds(9), isHeld: true)
        #expect(released.level(of: alarm) == false)
        book.set(alarm, false, by: ":1.5", called: "tacet", of: 0, until: nil)
        #expect(book.level(of: alarm) == false)
    }

    @Test func leasedDeassertionByTheRestartedFleetEndsItsLoss() {
        var book = book { $0.set(alarm, true, by: ":1.1", called: "tacet-mqtt", of: 990, until: .seconds(15)) }
        book.left(":1.1")
        book.set(alarm, false, by: ":1.2", called: "tacet-mqtt", of: 990, until: .seconds(20), isHeld: true)
        #expect(book.level(of: alarm) == false)
    }

    @Test func leasedDeassertionDoesNotEndAnAssertionOfTheLastRun() {
        var book = book {
            $0.resume(alarm, until: .seconds(30))
            $0.set(alarm, false, by: ":1.1", called: "tacet-mqtt", of: 990, until: .seconds(60), isHeld: true)
        }
        #expect(book.level(of: alarm) == true)
        book.advance(to: .seconds(30))
        #expect(book.level(of: alarm) == false)
    }

    /// While Tacet is not on the bus, no program can renew a lease.
    @Test func leasesArePausedForAnAbsence() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set("phone-call", true, by: ":1.2", called: "two", until: .seconds(9))
            $0.set("cover-closed", true, by: ":1.3", called: "three", until: .seconds(30))
        }
        book.leaveBus(at: .seconds(8))
        book.advance(to: .seconds(19))
        #expect(book.level(of: "phone-call") == true)
        // Another attempt to connect has failed.
        book.leaveBus(at: .seconds(19))
        book.returnToBus(isSame: true, at: .seconds(20))
        book.advance(to: .milliseconds(24_999))
        #expect(book.level(of: "phone-call") == true && book.deadline == .seconds(25))
        book.advance(to: .seconds(25))
        #expect(book.level(of: "phone-call") == nil && book.level(of: alarm) == true && book.deadline == .seconds(42))
    }

    /// A signal that is held for as long as its program is on the bus is not lost because Tacet is absent.
    @Test func longAbsenceFromTheBusEndsLeasesOnly() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set("phone-call", true, by: ":1.2", called: "two", until: .seconds(9))
        }
        book.leaveBus(at: .seconds(8))
        #expect(book.deadline == .seconds(8) + LeaseTable.longestPause)
        book.advance(to: .seconds(8) + LeaseTable.longestPause)
        #expect(book.loss(of: "phone-call") == "without a bus, two cannot renew its lease")
        #expect(book.level(of: alarm) == true && book.deadline == nil)
        // The program is followed again, and may have left in the meantime.
        book.returnToBus(isSame: true, at: .seconds(100))
        #expect(book.clients == [":1.1", ":1.2"])
        book.left(":1.1")
        #expect(book.loss(of: alarm) == "one has left the bus")
    }

    @Test func programWhoseAssertionWasEndedLeavesLaterOnesAlone() {
        var book = book {
            $0.set(alarm, true, by: ":1.1", called: "one", until: nil)
            $0.set(alarm, true, by: ":1.2", called: "two", until: .seconds(1))
        }
        book.advance(to: .seconds(1))
        book.set(alarm, false, by: ":1.3", called: "tacet", until: nil)
        #expect(book.level(of: alarm) == false && book.clients == [":1.1", ":1.2"])
        book.set(alarm, true, by: ":1.4", called: "four", until: nil)
        // Each program ends its own assertion, which is already over.
        book.set(alarm, false, by: ":1.1", called: "one", until: nil)
        book.set(alarm, false, by: ":1.2", called: "two", until: nil)
        #expect(book.level(of: alarm) == true && book.clients == [":1.4"])
        // From now on, the program has no assertion.
        book.set(alarm, false, by: ":1.1", called: "one", until: nil)
        #expect(book.level(of: alarm) == false && book.clients == [":1.4"])
        book.left(":1.4")
        #expect(book.level(of: alarm) == false && book.clients.isEmpty)
    }
}
