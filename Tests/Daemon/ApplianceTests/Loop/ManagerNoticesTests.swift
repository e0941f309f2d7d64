import Systemd
import Testing

@testable import Appliance

/// Notices to a service manager that does not read for a while.
@Suite struct ManagerNoticesTests {
    private final class Manager {
        var isBusy = false
        var received: [[ServiceManager.Notice]] = []

        func take(_ notices: [ServiceManager.Notice]) -> ServiceManager.Attempt {
            guard !isBusy else { return .busy }
            received.append(notices)
            return .sent
        }
    }

    @Test func noticesThatTheManagerHasNoRoomForArriveLaterInTheirOrder() throws {
        let manager = Manager()
        let loop = try EventLoop()
        let notices = try ManagerNotices(in: loop) { manager.take($0) }
        notices.send(.ready)
        #expect(manager.received == [[.ready]])
        manager.isBusy = true
        notices.send(.reloading)
        notices.send(.ready)
        #expect(manager.received.count == 1)
        // The timer first finds the manager busy.
        try loop.turn(within: .seconds(60))
        #expect(manager.received.count == 1)
        manager.isBusy = false
        try loop.turn(within: .seconds(60))
        #expect(manager.received == [[.ready], [.reloading], [.ready]])
        notices.send(.stopping, .status("Stopping"))
        #expect(manager.received.last == [.stopping, .status("Stopping")])
    }

    @Test func noticesForAManagerThatNeverReadsAreBounded() throws {
        let manager = Manager()
        manager.isBusy = true
        let loop = try EventLoop()
        let notices = try ManagerNotices(in: loop) { manager.take($0) }
        for _ in 0..<100 { notices.send(.reloading) }
        notices.send(.ready)
        manager.isBusy = false
        try loop.turn(within: .seconds(60))
        #expect(manager.received.count == 16 && manager.received.last == [.ready])
    }
}
