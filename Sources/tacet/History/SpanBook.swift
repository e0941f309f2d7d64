import Timeline

/// What holds from when to when, for each of several names.
struct SpanBook<Value: Sendable & Equatable> {
    private var begun: [String: (from: Double, value: Value)] = [:]
    private var ended: [String: [Timeline.Span<Value>]] = [:]
    /// In the order in which they were first heard of.
    private(set) var names: [String] = []

    func holds(_ name: String) -> Bool { begun[name] != nil }

    mutating func set(_ name: String, _ value: Value?, at time: Double) {
        if !names.contains(name) { names.append(name) }
        if let now = begun[name], now.value == value { return }
        if let past = begun.removeValue(forKey: name), time > past.from {
            ended[name, default: []].append(.init(from: past.from, to: time, value: past.value))
        }
        if let value { begun[name] = (time, value) }
    }

    mutating func endAll(at time: Double) {
        for name in names { set(name, nil, at: time) }
    }

    func spans(of name: String) -> [Timeline.Span<Value>] { ended[name] ?? [] }
}
