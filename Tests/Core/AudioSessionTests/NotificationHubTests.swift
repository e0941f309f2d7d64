import AudioSession
import Testing

@Suite struct NotificationHubTests {
    @Test func everyObserverReceivesAllNotificationsInOrder() async {
        let hub = NotificationHub()
        let (first, second) = (hub.notifications(), hub.notifications())
        var session = Session(policy: Policy(signals: [SignalPolicy(id: "phone-call", effect: .pause)]))
        hub.post(session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero))
        hub.post(session.handle(.edge(Edge("phone-call", asserted: true)), at: .seconds(1)))
        hub.post(session.handle(.edge(Edge("phone-call", asserted: false)), at: .seconds(2)))
        hub.finish()
        for observer in [first, second] {
            var heard: [SessionNotification] = []
            for await notification in observer { heard.append(notification) }
            #expect(heard == [.began(.default), .ended(.shouldResume)])
        }
    }

    @Test func slowObserverLosesTheOldestNotifications() async {
        let hub = NotificationHub()
        let observer = hub.notifications(capacity: 1)
        hub.post(.mediaServicesWereLost)
        hub.post(.mediaServicesWereReset)
        hub.finish()
        var heard: [SessionNotification] = []
        for await notification in observer { heard.append(notification) }
        #expect(heard == [.mediaServicesWereReset])
    }

    @Test func observersFinishWhenTheHubIsDeallocated() async {
        var hub: NotificationHub? = NotificationHub()
        let observer = hub?.notifications()
        hub = nil
        var count = 0
        if let observer { for await _ in observer { count += 1 } }
        #expect(count == 0)
    }
}
