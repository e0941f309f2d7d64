/// A switch or key to read.
public struct WantedInput<ID: Hashable & Sendable>: Hashable, Sendable {
    public var id: ID
    /// The device's name, or a path that begins with a slash.
    public var device: String
    /// The name of the switch or key.
    public var code: String
    /// Whether to take the device for this process alone.
    public var grabs: Bool

    public init(_ id: ID, device: String, code: String, grabs: Bool = false) {
        self.id = id
        self.device = device
        self.code = code
        self.grabs = grabs
    }

    var subject: String { "\(code) of \(device)" }
}

/// Reads switches and keys of any number of input devices: first their states, then their edges. Devices that are lost
/// can be acquired again, under whatever number they return.
///
/// A device that is not available does not affect the others. Use a reader from one thread only; no call blocks. The
/// owner polls `descriptors` and calls `readEdges` when one of them is ready. While something is missing
/// (`isIncomplete`), it calls `acquire` whenever `/dev/input` changes, and from time to time besides.
public final class InputReader<ID: Hashable & Sendable> {
    public struct Edge: Hashable, Sendable {
        public var id: ID
        public var level: Bool
        public var time: Duration
    }

    public struct Loss: Hashable, Sendable {
        public var id: ID
        public var error: InputError
    }

    private struct Held {
        let wanted: WantedInput<ID>
        let code: InputCode
        /// As last reported.
        var level: Bool
    }

    private final class Node {
        let path: String
        let input: any HeldInput
        var held: [Held] = []
        var isGrabbed = false

        init(_ path: String, _ input: any HeldInput) {
            self.path = path
            self.input = input
        }
    }

    private let wanted: [WantedInput<ID>]
    private let system: any InputSystem
    private var nodes: [Node] = []
    /// Why something is missing: one entry for each switch or key that could not be acquired or has been lost.
    public private(set) var problems: [ID: InputError] = [:]

    /// Creates a reader that has opened nothing yet; `acquire` does.
    public init(_ wanted: [WantedInput<ID>], system: any InputSystem = InputKernel()) {
        self.wanted = wanted
        self.system = system
    }

    public var descriptors: [Int32] { nodes.map(\.input.descriptor) }

    public var isIncomplete: Bool { wanted.contains { level(of: $0.id) == nil } }

    /// The state as last reported; nil while the device is missing.
    public func level(of id: ID) -> Bool? { held(id)?.held.level }

    /// The path and name of its device; nil while it is missing.
    public func place(of id: ID) -> InputNode? {
        held(id).map { InputNode(path: $0.node.path, name: $0.node.input.name) }
    }

    private func held(_ id: ID) -> (node: Node, held: Held)? {
        for node in nodes {
            if let held = node.held.first(where: { $0.wanted.id == id }) { return (node, held) }
        }
        return nil
    }

    /// Closes all devices.
    public func release() { nodes = [] }

    /// Opens the devices of everything that is missing.
    /// - Returns: what has been found, with its state.
    public func acquire() -> [(id: ID, level: Bool)] {
        let missing = wanted.filter { level(of: $0.id) == nil }
        guard !missing.isEmpty else { return [] }
        problems = [:]
        let list = system.nodes()
        return missing.compactMap { wanted in
            do throws(InputError) {
                return (wanted.id, try acquire(wanted, among: list))
            } catch {
                problems[wanted.id] = error
                return nil
            }
        }
    }

    private func acquire(_ wanted: WantedInput<ID>, among list: [InputNode]) throws(InputError) -> Bool {
        let code = try InputReader.code(of: wanted)
        let paths =
            wanted.device.hasPrefix("/")
            ? [system.realPath(wanted.device)] : list.filter { $0.name == wanted.device }.map(\.path)
        guard !paths.isEmpty else {
            throw InputError(
                .notFound, wanted.subject, "no input device has this name",
                advice: "is it plugged in? ‘tacet inputs’ lists the devices")
        }
        var candidates: [Node] = []
        var failure: InputError?
        for path in paths {
            do throws(InputError) {
                let node = try node(path)
                if node.input.has(code) { candidates.append(node) }
            } catch { failure = failure ?? error.of(wanted.subject) }
        }
        guard candidates.count < 2 else {
            throw InputError(
                .ambiguous, wanted.subject,
                "\(candidates.count) devices have this name: \(candidates.map(\.path).joined(separator: ", "))",
                advice: "write Input= with the path of one of them, such as its link in /dev/input/by-path")
        }
        guard let node = candidates.first else {
            throw failure
                ?? InputError(
                    .noSuchCode, wanted.subject, "the device has no such \(code.isSwitch ? "switch" : "key")",
                    advice: "‘tacet inputs’ lists the switches and keys of each device")
        }
        if wanted.grabs, !node.isGrabbed {
            do throws(InputError) { try node.input.grab() } catch { throw error.of(wanted.subject) }
            node.isGrabbed = true
        }
        let level = node.input.level(of: code)
        node.held.append(Held(wanted: wanted, code: code, level: level))
        if !nodes.contains(where: { $0 === node }) { nodes.append(node) }
        return level
    }

    private static func code(of wanted: WantedInput<ID>) throws(InputError) -> InputCode {
        if let code = InputCode(wanted.code) { return code }
        throw InputError(
            .unknownCode, wanted.subject, "there is no switch or key of this name",
            advice: "write a name of the kernel's input-event-codes.h; ‘tacet inputs’ lists those of each device")
    }

    private func node(_ path: String) throws(InputError) -> Node {
        if let open = nodes.first(where: { $0.path == path }) { return open }
        return Node(path, try system.open(path))
    }

    /// Returns the edges and losses since the last call, without waiting for more. The edges are in order of time.
    public func readEdges() -> (edges: [Edge], losses: [Loss]) {
        var edges: [Edge] = []
        var losses: [Loss] = []
        for node in nodes {
            do throws(InputError) {
                for edge in try node.input.readEdges() {
                    for index in node.held.indices where node.held[index].code == edge.code {
                        // After a loss of events, a level can be reported that was known.
                        guard node.held[index].level != edge.level else { continue }
                        node.held[index].level = edge.level
                        edges.append(Edge(id: node.held[index].wanted.id, level: edge.level, time: edge.time))
                    }
                }
            } catch {
                nodes.removeAll { $0 === node }
                for held in node.held {
                    let problem = error.of(held.wanted.subject)
                    problems[held.wanted.id] = problem
                    losses.append(Loss(id: held.wanted.id, error: problem))
                }
            }
        }
        let sorted = edges.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return (sorted.map(\.element), losses)
    }
}
