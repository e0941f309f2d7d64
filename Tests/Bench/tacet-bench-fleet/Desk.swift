import Clocks
import Glibc
import MQTT

/// The fleet's desk, which announces and collects the boards' answers. Use it on one thread only.
final class Desk {
    /// An announcement that the desk has made.
    struct Order: Hashable {
        let id: String
        let topic: String
        /// The boards for which it is intended.
        let boards: Range<Int>
        let expiresAt: Duration
        let publishedAt: Duration
    }

    private let connection: MQTTConnection
    private let prefix: String
    private(set) var orders: [Order] = []
    /// The answers of the boards to each announcement, by the announcement and the board.
    private(set) var answers: [String: [String: String]] = [:]
    private var isConnected = false

    init(_ settings: MQTTSettings, prefix: String) {
        self.prefix = prefix
        connection = MQTTConnection { settings }
    }

    func close() { connection.close(within: .seconds(10)) }

    /// Handles the events that have arrived, after waiting for them.
    func listen(_ time: Duration) {
        connection.news.wait(time)
        for event in connection.takeEvents() {
            switch event {
            case .connected:
                isConnected = true
                connection.subscribe(to: ["\(prefix)/+/answer"])
            case .disconnected: isConnected = false
            case .message(let message): note(message)
            default: break
            }
        }
    }

    /// - Returns: True if the condition was met in time.
    @discardableResult
    func wait(_ limit: Duration, until condition: () -> Bool) -> Bool {
        let end = SystemClock.monotonic.now + limit
        while SystemClock.monotonic.now < end {
            if condition() { return true }
            listen(.milliseconds(20))
        }
        return condition()
    }

    func waitForBroker() { wait(.seconds(120)) { isConnected } }

    /// Records an answer such as `{"id":"a1","board":"b7","answer":"success"}`. It needs no general parser, because the
    /// desk defines this format.
    private func note(_ message: MQTTMessage) {
        let text = String(decoding: message.payload, as: UTF8.self)
        let words = text.split(separator: "\"").map(String.init)
        guard let id = words.firstIndex(of: "id"), let board = words.firstIndex(of: "board"),
            let answer = words.firstIndex(of: "answer"), words.indices.contains(answer + 2)
        else { return }
        answers[words[id + 2], default: [:]][words[board + 2]] = words[answer + 2]
    }

    // MARK: Publishing

    /// Announces the sound.
    @discardableResult
    func announce(to scope: String, _ boards: Range<Int>, expiresAfter time: Duration) -> Order {
        let now = SystemClock.wallClock
        let order = Order(
            id: "a\(orders.count)", topic: "\(prefix)/\(scope)/announce", boards: boards, expiresAt: now + time,
            publishedAt: now)
        orders.append(order)
        publish(order)
        return order
    }

    /// Publishes an announcement for the first time or again.
    func publish(_ order: Order) {
        let seconds = Double(order.expiresAt / .microseconds(1)) / 1e6
        connection.publish(
            MQTTPublication(order.topic, "{\"id\":\"\(order.id)\",\"sound\":\"gong\",\"expires_at\":\(seconds)}"))
    }

    func publish(_ topic: String, _ payload: String, isRetained: Bool = false) {
        connection.publish(MQTTPublication("\(prefix)/\(topic)", payload, isRetained: isRetained))
    }
}
