import GPIO
import Glibc

/// Prints the levels, edges and losses of a `LineReader`, one per line, and tries to acquire lost lines again every
/// 200 ms.
struct Watch {
    private let reader: LineReader<String>
    private var complaints: [String: GPIOError] = [:]

    /// - Parameter lines: `LINE[@CHIP][,BIAS]`, where LINE is a name or #OFFSET.
    init(_ lines: some Sequence<String>) { reader = LineReader(lines.map(Self.wanted), consumer: "gpio-watch") }

    /// Runs until it is killed.
    mutating func run() -> Never {
        acquire()
        say("ready")
        while true {
            var descriptors = reader.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&descriptors, nfds_t(descriptors.count), reader.isIncomplete ? 200 : -1)
            let reading = reader.readEdges()
            for edge in reading.edges { say("edge \(edge.id) \(edge.level ? 1 : 0) \(nanoseconds(edge.time))") }
            for loss in reading.losses { say("lost \(loss.id) \(loss.error)") }
            acquire()
        }
    }

    private mutating func acquire() {
        for outcome in reader.acquire() {
            switch outcome.result {
            case .success(let level):
                complaints[outcome.id] = nil
                say("level \(outcome.id) \(level ? 1 : 0)")
            case .failure(let error):
                guard complaints.updateValue(error, forKey: outcome.id) != error else { continue }
                say("error \(outcome.id) \(error)")
            }
        }
    }

    private static func wanted(_ text: String) -> WantedLine<String> {
        let parts = text.split(separator: ",").map(String.init)
        let names = (parts.first ?? "").split(separator: "@", maxSplits: 1).map(String.init)
        let chip = names.count > 1 ? names[1] : nil
        let line = names.first ?? ""
        let offset = line.hasPrefix("#") ? Int(line.dropFirst()) : nil
        var wanted = WantedLine(text, offset.map { .offset($0, chip: chip ?? "") } ?? .named(line, chip: chip))
        if parts.count > 1, let bias = LineBias(rawValue: parts[1]) { wanted.bias = bias }
        return wanted
    }

    private func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    private func nanoseconds(_ time: Duration) -> Int64 {
        time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
    }
}
