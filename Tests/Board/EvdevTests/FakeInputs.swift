import Glibc
import Testing

@testable import Evdev

/// A machine whose input devices come and go.
final class FakeInputs: InputSystem {
    var inputs: [Int: FakeInput] = [:]
    var links: [String: String] = [:]

    @discardableResult
    func plug(_ number: Int, _ name: String, _ levels: [String: Bool]) -> FakeInput {
        let input = FakeInput(number, name, levels)
        inputs[number] = input
        return input
    }

    func nodes() -> [InputNode] {
        inputs.sorted { $0.key < $1.key }.map { InputNode(path: "/dev/input/event\($0.key)", name: $0.value.name) }
    }

    func realPath(_ path: String) -> String { links[path] ?? path }

    func open(_ path: String) throws(InputError) -> any HeldInput {
        guard let input = inputs.first(where: { path == "/dev/input/event\($0.key)" })?.value else {
            throw .system(ENOENT, path)
        }
        if input.isForbidden { throw .system(EACCES, path) }
        return input
    }
}

final class FakeInput: HeldInput {
    let descriptor: Int32
    let name: String
    private var levels: [String: Bool]
    private var queue: [InputEdge] = []
    private var isGone = false
    var isForbidden = false
    var isBusy = false
    private(set) var grabs = 0

    init(_ number: Int, _ name: String, _ levels: [String: Bool]) {
        descriptor = Int32(number)
        self.name = name
        self.levels = levels
    }

    func turn(_ code: String, _ level: Bool, at time: Duration) throws {
        levels[code] = level
        queue.append(InputEdge(try #require(InputCode(code)), level: level, time: time))
    }

    func unplug() { isGone = true }

    func has(_ code: InputCode) -> Bool { levels.keys.contains(code.name) }
    func level(of code: InputCode) -> Bool { levels[code.name] ?? false }

    func grab() throws(InputError) {
        if isBusy { throw .system(EBUSY, name) }
        grabs += 1
    }

    func readEdges() throws(InputError) -> [InputEdge] {
        if isGone { throw .system(ENODEV, "event") }
        defer { queue = [] }
        return queue
    }
}
