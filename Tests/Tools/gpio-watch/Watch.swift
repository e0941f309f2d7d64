import GPIO
import Glibc
import Signals

/// Prints the levels, edges and losses of a `LineReader`, one per line, and tries to acquire lost lines again every 200
/// ms.
struct Watch {
    private let reader: LineReader<String>
    private var complaints: [String: GPIOError] = [:]

    /// - Parameter lines: The lines in the format `LINE[@CHIP][,BIAS]`, where LINE is a name or #OFFSET.
    init(_ lines: some Sequence<String>) { reader = LineReader(lines.map(Self.wanted), consumer: "gpio-watch") }

    /// Runs until it is killed.
    mutating func run() -> Never {
        acquire()
        say("ready")
        while true {
            var descriptors = reader.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&descriptors, nfds_t(descriptors.count), reader.isIncomplete ? 200 : -1)
            for change in reader.readChanges() { say(change) }
            acquire()
        }
    }

    private mutating func acquire() {
        let found = reader.acquire()
        for id in reader.wanted.map(\.id) {
            if let change = found.first(where: { $0.id == id }) {
                complaints[id] = nil
                say(change)
            } else if let error = reader.problems[id], complaints.updateValue(error, forKey: id) != error {
                say("error \(id) \(error)")
            }
        }
    }

    private func say(_ change: LevelChange<String>) {
        switch change.state {
        case .turned(let level): say("edge \(change.id) \(level ? 1 : 0) \(nanoseconds(change.time ?? .zero))")
        case .found(let level): say("level \(change.id) \(level ? 1 : 0)")
        case .missing(let reason): say("lost \(change.id) \(reason)")
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
