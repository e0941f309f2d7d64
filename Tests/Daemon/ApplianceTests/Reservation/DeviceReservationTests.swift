import Testing

@testable import Appliance

/// The pure state machine, without a bus.
@Suite struct DeviceReservationTests {
    private typealias Reservation = DeviceReservation

    private static let soon = Duration.seconds(1)
    private static let late = Duration.seconds(100)
    private static let high = Reservation.priority + 1

    /// A reservation after these events, all of which happen at the start.
    private func reservation(_ events: Reservation.Event...) -> Reservation {
        var reservation = Reservation()
        for event in events { _ = reservation.take(event, at: .zero) }
        return reservation
    }

    private func effects(_ reservation: inout Reservation, _ event: Reservation.Event, at now: Duration = soon)
        -> [Reservation.Effect]
    {
        reservation.take(event, at: now)
    }

    private var owned: Reservation {
        reservation(.connected, .used(.open), .nameAnswered(.granted))
    }

    @Test func freeCardIsReservedWhileItIsUsed() {
        var reservation = Reservation()
        #expect(effects(&reservation, .used(.open)) == [])
        #expect(effects(&reservation, .connected) == [.requestName(replaces: false)])
        #expect(effects(&reservation, .ownerChanged(.tacet)) == [])
        #expect(effects(&reservation, .nameAnswered(.granted)) == [])
        #expect(reservation.state == .owned && !reservation.isWithheld && reservation.deadline == nil)
        #expect(effects(&reservation, .used(.none)) == [.releaseName])
        #expect(effects(&reservation, .ownerChanged(.nobody)) == [])
        #expect(reservation.state == .idle && reservation.isForgettable)
        #expect(effects(&reservation, .used(.open)) == [.requestName(replaces: false)])
    }

    @Test func ownerIsAskedAndReplaced() {
        var reservation = reservation(.connected, .used(.blocked), .ownerChanged(.other("a")))
        #expect(effects(&reservation, .nameAnswered(.taken)) == [.identify("a"), .ask("a")])
        // Another program cannot answer in its place.
        #expect(effects(&reservation, .releaseAnswered(by: "b", true)) == [])
        #expect(effects(&reservation, .releaseAnswered(by: "a", true)) == [.requestName(replaces: true)])
        #expect(effects(&reservation, .ownerChanged(.tacet)) == [.retry])
        #expect(reservation.state == .owned)
    }

    @Test func ownerThatRefusesIsAskedAgainLater() {
        var reservation = reservation(.connected, .used(.blocked), .ownerChanged(.other("a")), .nameAnswered(.taken))
        #expect(effects(&reservation, .releaseAnswered(by: "a", false)) == [])
        #expect(reservation.opponent == "a" && !reservation.isWithheld)
        #expect(reservation.deadline == Self.soon + Reservation.patience)
        #expect(effects(&reservation, .timePassed, at: .seconds(30)) == [])
        #expect(effects(&reservation, .timePassed, at: Self.late) == [.identify("a"), .ask("a")])
        _ = effects(&reservation, .releaseAnswered(by: "a", false))
        #expect(effects(&reservation, .ownerChanged(.nobody)) == [.requestName(replaces: false)])
    }

    /// If the kernel nevertheless lets Tacet open the device, there is nothing to wait for.
    @Test func ownerThatRefusesIsLeftAloneWhileTheDeviceIsOpen() {
        var reservation = reservation(.connected, .used(.open), .ownerChanged(.other("a")), .nameAnswered(.taken))
        _ = effects(&reservation, .releaseAnswered(by: "a", false))
        #expect(reservation.opponent == nil && reservation.deadline == nil)
        #expect(effects(&reservation, .ownerChanged(.other("b"))) == [.identify("b"), .ask("b")])
    }

    @Test func cardIsReleasedForAProgramWithAHigherPriority() {
        var reservation = owned
        for priority in [Int32.min, -20, 0, Reservation.priority] {
            #expect(effects(&reservation, .requested(1, priority: priority)) == [.answer([1], false)])
        }
        #expect(!reservation.isWithheld)
        #expect(effects(&reservation, .requested(2, priority: Self.high)) == [])
        #expect(effects(&reservation, .requested(3, priority: .max)) == [])
        #expect(effects(&reservation, .requested(4, priority: Reservation.priority)) == [.answer([4], false)])
        #expect(reservation.isWithheld && reservation.isClosing)
        #expect(effects(&reservation, .used(.blocked)) == [])
        #expect(effects(&reservation, .closed) == [.answer([2, 3], true), .releaseName])
        #expect(effects(&reservation, .ownerChanged(.nobody)) == [] && reservation.isWithheld)
        #expect(effects(&reservation, .ownerChanged(.other("a"))) == [.identify("a")] && reservation.isWithheld)
        #expect(effects(&reservation, .ownerChanged(.nobody)) == [.requestName(replaces: false)])
        #expect(!reservation.isWithheld)
        #expect(effects(&reservation, .nameAnswered(.granted)) == [.retry])
    }

    @Test func cardThatNobodyTakesIsUsedAgain() {
        var reservation = owned
        _ = effects(&reservation, .requested(1, priority: Self.high))
        _ = effects(&reservation, .closed)
        #expect(reservation.deadline == Self.soon + Reservation.grace)
        #expect(effects(&reservation, .timePassed) == [])
        #expect(effects(&reservation, .timePassed, at: Self.late) == [.requestName(replaces: false)])

        reservation = owned
        _ = effects(&reservation, .requested(1, priority: Self.high))
        _ = effects(&reservation, .closed)
        _ = effects(&reservation, .used(.none))
        #expect(effects(&reservation, .timePassed, at: Self.late) == [] && reservation.isForgettable)
    }

    @Test func requestsAreRefusedIfTheDeviceDoesNotClose() {
        var reservation = owned
        for number in 1...Reservation.mostRequests {
            #expect(effects(&reservation, .requested(number, priority: Self.high)) == [])
        }
        #expect(effects(&reservation, .requested(99, priority: Self.high)) == [.answer([99], false)])
        #expect(
            effects(&reservation, .timePassed, at: Self.late)
                == [.answer(Array(1...Reservation.mostRequests), false)])
        #expect(reservation.state == .owned && !reservation.isWithheld)
    }

    @Test func cardIsLostToAProgramThatReplacesTheOwner() {
        var reservation = owned
        #expect(effects(&reservation, .ownerChanged(.other("a"))) == [.identify("a")])
        #expect(reservation.isWithheld && reservation.opponent == "a")
        // It stays closed even if nothing is to be played, until the program has finished.
        #expect(effects(&reservation, .used(.none)) == [] && reservation.isWithheld && reservation.deadline == nil)
        #expect(effects(&reservation, .ownerChanged(.nobody)) == [] && !reservation.isWithheld)
    }

    /// For example, a sound server may take a card that was released for a program which has crashed.
    @Test func programThatHasTakenTheCardIsAskedFromTimeToTime() {
        var reservation = owned
        _ = effects(&reservation, .ownerChanged(.other("a")))
        _ = effects(&reservation, .used(.blocked))
        #expect(effects(&reservation, .timePassed, at: Self.late) == [.ask("a")])
        #expect(effects(&reservation, .releaseAnswered(by: "a", false)) == [] && reservation.isWithheld)
        #expect(effects(&reservation, .releaseAnswered(by: "b", true)) == [] && reservation.isWithheld)
        #expect(effects(&reservation, .releaseAnswered(by: "a", true)) == [.requestName(replaces: true)])
        #expect(!reservation.isWithheld)
    }

    @Test func lossOfTheBusEndsEverything() {
        var reservation = owned
        _ = effects(&reservation, .requested(1, priority: Self.high))
        #expect(effects(&reservation, .disconnected) == [.answer([1], true)])
        #expect(reservation.state == .offline && !reservation.isWithheld)
        #expect(effects(&reservation, .connected) == [.requestName(replaces: false)])
    }

    @Test func rejectedNameIsRequestedAgainLater() {
        var reservation = reservation(.connected, .used(.blocked))
        #expect(effects(&reservation, .nameAnswered(.rejected)) == [] && reservation.opponent == nil)
        #expect(effects(&reservation, .timePassed, at: Self.late) == [.requestName(replaces: false)])
        _ = effects(&reservation, .ownerChanged(.other("a")))
        _ = effects(&reservation, .nameAnswered(.taken))
        _ = effects(&reservation, .releaseAnswered(by: "a", true))
        #expect(effects(&reservation, .nameAnswered(.taken)) == [] && reservation.opponent == "a")
    }

    /// Explores every sequence of events, and checks what must hold in each state and for each event.
    @Test func everyReachableStateIsSound() {
        var events: [Reservation.Event] = [.connected, .disconnected, .closed, .timePassed]
        for use: Reservation.Use in [.none, .blocked, .open] { events.append(.used(use)) }
        for owner: Reservation.Owner in [.nobody, .tacet, .other("a"), .other("b")] {
            events.append(.ownerChanged(owner))
        }
        for grant: Reservation.Grant in [.granted, .taken, .rejected] { events.append(.nameAnswered(grant)) }
        for program in ["a", "b"] {
            events += [.releaseAnswered(by: program, true), .releaseAnswered(by: program, false)]
        }
        for priority in [Self.high, Reservation.priority] { events.append(.requested(0, priority: priority)) }
        var known: Set<Reservation> = [Reservation()]
        var open = Array(known)
        while let before = open.popLast() {
            for event in events {
                for now in [Duration.zero, Self.late] {
                    var after = before
                    let effects = after.take(event, at: now)
                    check(before, event, effects, after)
                    // All deadlines are relative to the same start, so that there is a finite number of states.
                    if now == .zero, known.insert(after).inserted { open.append(after) }
                }
            }
        }
        #expect(known.count > 100)
    }

    private func check(
        _ before: Reservation, _ event: Reservation.Event, _ effects: [Reservation.Effect], _ after: Reservation
    ) {
        let comment = Comment(rawValue: "\(event) in \(before): \(effects), \(after)")
        // Each request is answered once, or waits until the device is closed.
        var due = waiting(before)
        if case .requested(let request, _) = event { due.append(request) }
        var answered: [Int] = []
        for case .answer(let requests, _) in effects { answered += requests }
        #expect(answered + waiting(after) == due, comment)
        // A card that is not used is only reserved for as long as another program is waited for.
        if after.use == .none {
            switch after.state {
            case .offline, .idle, .closing, .released, .withheld: break
            case .requesting, .asking, .replacing, .owned, .refused: Issue.record(comment)
            }
        }
        // Only a request replaces another program, and only after that program has agreed.
        if effects.contains(.requestName(replaces: true)) {
            let isExpected: Bool
            if case .releaseAnswered(_, true) = event, case .replacing = after.state {
                isExpected = true
            } else {
                isExpected = false
            }
            #expect(isExpected, comment)
        }
        if effects.contains(.requestName(replaces: false)) { #expect(after.state == .requesting, comment) }
        // A device is not opened while it must be closed, and only if the name is owned.
        if effects.contains(.retry) { #expect(after.state == .owned && !after.isWithheld, comment) }
        if after.state == .owned, before.state != .owned, before.use == .blocked, !before.isClosing {
            #expect(effects.contains(.retry), comment)
        }
        // A request with a lower priority has no effect.
        if case .requested(_, Reservation.priority) = event { #expect(before.state == after.state, comment) }
        // Without a connection, nothing is sent.
        if after.state == .offline {
            #expect(effects.allSatisfy { if case .answer = $0 { true } else { false } }, comment)
        }
    }

    private func waiting(_ reservation: Reservation) -> [Int] {
        if case .closing(let requests, _) = reservation.state { requests } else { [] }
    }
}
