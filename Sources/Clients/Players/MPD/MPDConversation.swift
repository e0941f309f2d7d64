import AudioSession
import Time

/// The conversation with a Music Player Daemon over its text protocol. It is a pure value.
///
/// The daemon answers one request at a time, and reports changes only while the connection waits with `idle`. Everything
/// that it sends is limited in length.
public struct MPDConversation: Sendable {
    /// What the shell does, and what it learns.
    public enum Output: Hashable, Sendable {
        case send(String)
        /// The first question has been answered. `uptime` is the time for which the daemon has been running.
        case began(Sighting, uptime: Duration)
        /// The daemon has changed, or has answered the question of `look` if `isAnswer` is true.
        case sighting(Sighting, isAnswer: Bool)
        /// The daemon has received the oldest order that it has not answered yet, and may have refused it for the given
        /// reason.
        case answered(refusal: String?)
        /// The conversation cannot continue for the given reason, so the connection must be closed.
        case broken(String)
    }

    private enum Request: Hashable, Sendable {
        case password(String)
        /// The commands that the connection may not use.
        case forbidden
        case uptime
        case status(isAnswer: Bool)
        case order(PlayerCommand)
    }

    private enum State: Hashable, Sendable {
        case greeting
        /// Waiting for the answer to a request.
        case waiting(Request)
        /// The daemon reports changes. `isLeaving` is true if this has been cancelled.
        case idle(isLeaving: Bool)
        case broken
    }

    /// The maximum length of a line in bytes, and of an answer in lines. A long tag makes the longest line that MPD
    /// sends.
    static let longestLine = 8192
    static let mostLines = 512
    private static let mostRequests = 64

    private var state = State.greeting
    private var queue: [Request]
    private var line: [UInt8] = []
    private var answer: [(key: String, value: String)] = []
    private var uptime: Duration?
    private var last: Sighting?

    /// - Parameter password: the password that the daemon requires, or nil. The daemon receives it as plain text.
    public init(password: String? = nil) {
        queue = (password.map { [.password($0)] } ?? []) + [.forbidden, .uptime, .status(isAnswer: false)]
    }

    // MARK: Requests

    /// Asks for the state.
    public mutating func look() -> [Output] { request(.status(isAnswer: true)) }

    public mutating func order(_ command: PlayerCommand) -> [Output] { request(.order(command)) }

    private mutating func request(_ request: Request) -> [Output] {
        guard state != .broken else { return [] }
        guard queue.count < Self.mostRequests else { return fail("it does not answer") }
        queue.append(request)
        guard case .idle(isLeaving: false) = state else { return [] }
        state = .idle(isLeaving: true)
        return [.send("noidle\n")]
    }

    private mutating func sendNext() -> [Output] {
        guard !queue.isEmpty else {
            state = .idle(isLeaving: false)
            return [.send("idle player\n")]
        }
        let request = queue.removeFirst()
        state = .waiting(request)
        return [.send(text(of: request))]
    }

    private func text(of request: Request) -> String {
        switch request {
        case .password(let password): "password \(Self.quoted(password))\n"
        case .forbidden: "notcommands\n"
        case .uptime: "stats\n"
        case .status: "status\n"
        case .order(.pause): "pause 1\n"
        case .order(.play): last?.status == .stopped ? "play\n" : "pause 0\n"
        case .order(.next): "next\n"
        case .order(.previous): "previous\n"
        case .order(.seek(let position)): "seekcur \(Seconds(position))\n"
        }
    }

    /// Returns an argument as the protocol requires it. A line feed would begin another request.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.filter { $0.value >= 0x20 }.map {
            $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)"
        }
        return "\"\(escaped.joined())\""
    }

    // MARK: Answers

    /// Handles what the daemon has sent.
    public mutating func receive(_ bytes: some Sequence<UInt8>) -> [Output] {
        var outputs: [Output] = []
        for byte in bytes where state != .broken {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                if line.count > Self.longestLine {
                    outputs += fail("it sends a line of more than \(Self.longestLine) bytes")
                }
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            line.removeAll(keepingCapacity: true)
            outputs += take(text)
        }
        return outputs
    }

    private mutating func take(_ line: String) -> [Output] {
        switch state {
        case .broken: return []
        case .greeting:
            guard line.hasPrefix("OK MPD ") else { return fail("it does not greet as a Music Player Daemon") }
            return sendNext()
        case .waiting, .idle:
            if line == "OK" { return conclude() }
            if line.hasPrefix("ACK ") { return refuse(String(line.dropFirst(4).prefix(200))) }
            guard answer.count < Self.mostLines else { return fail("it sends more than \(Self.mostLines) lines") }
            if let colon = line.firstIndex(of: ":") {
                answer.append((String(line[..<colon]), String(line[colon...].dropFirst(2))))
            }
            return []
        }
    }

    /// Handles the end of an answer.
    private mutating func conclude() -> [Output] {
        let answer = answer
        self.answer = []
        switch state {
        case .idle(let isLeaving):
            if !answer.isEmpty { queue.append(.status(isAnswer: false)) }
            // An answer without a change that was not asked for would make this loop for ever.
            guard isLeaving || !answer.isEmpty else { return fail("it ends the wait for changes without one") }
            return sendNext()
        case .waiting(.password): return sendNext()
        case .waiting(.forbidden):
            let forbidden = answer.filter { $0.key == "command" }.map(\.value)
            guard !forbidden.contains("pause"), !forbidden.contains("status") else {
                return fail("it does not permit to pause it: \(Self.advice)")
            }
            return sendNext()
        case .waiting(.uptime):
            guard let text = answer.first(where: { $0.key == "uptime" })?.value, let seconds = Int64(text),
                (0...Self.longestUptime).contains(seconds)
            else { return fail("it does not tell since when it has been running") }
            uptime = .seconds(seconds)
            return sendNext()
        case .waiting(.status(let isAnswer)):
            guard let sighting = Self.sighting(in: answer) else { return fail("it does not tell its state") }
            let isFirst = last == nil
            last = sighting
            let found: Output =
                isFirst ? .began(sighting, uptime: uptime ?? .zero) : .sighting(sighting, isAnswer: isAnswer)
            return [found] + sendNext()
        case .waiting(.order): return [.answered(refusal: nil)] + sendNext()
        case .greeting, .broken: return []
        }
    }

    /// The remedy if the daemon does not permit what Tacet needs.
    private static let advice = "check the password, which tacet-players(8) takes from a credential"

    private static let longestUptime: Int64 = 100 * 366 * 86_400

    private mutating func refuse(_ reason: String) -> [Output] {
        answer = []
        switch state {
        case .waiting(.order): return [.answered(refusal: reason)] + sendNext()
        case .waiting(.password): return fail("it refuses the password: \(Self.advice) (\(reason))")
        // Not every daemon has the command.
        case .waiting(.forbidden): return sendNext()
        // This is the code of a missing permission.
        case _ where reason.hasPrefix("[4@"): return fail("it refuses: \(Self.advice) (\(reason))")
        default: return fail("it refuses: \(reason)")
        }
    }

    private mutating func fail(_ reason: String) -> [Output] {
        state = .broken
        (queue, line, answer) = ([], [], [])
        return [.broken(reason)]
    }

    /// Returns the state in the answer to `status`, or nil if there is none.
    private static func sighting(in answer: [(key: String, value: String)]) -> Sighting? {
        let values = Dictionary(answer.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let status: Sighting.Status
        switch values["state"] {
        case "play": status = .playing
        case "pause": status = .paused
        case "stop": status = .stopped
        default: return nil
        }
        return Sighting(status, identifiers: [values["songid"] ?? ""])
    }
}
