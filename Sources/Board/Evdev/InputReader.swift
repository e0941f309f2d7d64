import Signals

/// A switch or key of an input device.
public struct InputSelector: Hashable, Sendable, CustomStringConvertible {
    /// The path of the device, such as /dev/input/by-path/platform-lid-event, or its name, such as Lid Switch.
    public var device: String
    /// The name in the kernel's input-event-codes.h, such as `SW_LID` or `KEY_PHONE`.
    public var code: String
    /// True if no other program receives the events of the device.
    public var isGrabbed: Bool

    public init(device: String, code: String, isGrabbed: Bool = false) {
        self.device = device
        self.code = code
        self.isGrabbed = isGrabbed
    }

    /// True if the code identifies a switch, false if it identifies a key.
    public var isSwitch: Bool { code.hasPrefix("SW_") }

    /// The text of the selector, such as `SW_LID of Lid Switch`.
    public var description: String { "\(code) of \(device)" }
}

/// Reads switches and keys of any number of input devices. It first reads their states and then their edges. A lost
/// device can be acquired again, even if it returns with a different number.
///
/// A device that is not available does not affect the others. Devices appear in `/dev/input`.
public final class InputReader<ID: Hashable & Sendable>: LevelReader {
    public typealias Wanted = (id: ID, selector: InputSelector)

    private struct Held {
        let wanted: Wanted
        let code: InputCode
        /// The level that was last reported.
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

    private let wanted: [Wanted]
    private let system: any InputSystem
    private let advice: (InputError.Reason) -> String?
    private var nodes: [Node] = []
    /// The reasons why switches or keys are missing. There is one entry for each switch or key that could not be
    /// acquired or has been lost.
    public private(set) var problems: [ID: InputError] = [:]

    /// Creates a reader that has not opened anything yet. `acquire` opens the devices.
    /// - Parameter advice: see `InputError.advised`.
    public init(
        _ wanted: [Wanted], system: any InputSystem = InputKernel(),
        advice: @escaping (InputError.Reason) -> String? = { _ in nil }
    ) {
        self.wanted = wanted
        self.system = system
        self.advice = advice
    }

    public var descriptors: [Int32] { nodes.map(\.input.descriptor) }

    public var isIncomplete: Bool { wanted.contains { level(of: $0.id) == nil } }

    /// Returns the state that was last reported, or nil while the device is missing.
    public func level(of id: ID) -> Bool? { held(id)?.held.level }

    /// Returns the name and path of the device, such as `Lid Switch, /dev/input/event3`.
    public func place(of id: ID) -> String? { held(id).map { "\($0.node.input.name), \($0.node.path)" } }

    public func problem(of id: ID) -> String? { problems[id]?.description }

    private func held(_ id: ID) -> (node: Node, held: Held)? {
        for node in nodes {
            if let held = node.held.first(where: { $0.wanted.id == id }) { return (node, held) }
        }
        return nil
    }

    /// Closes all devices.
    public func release() { nodes = [] }

    /// Opens the devices of everything that is missing.
    public func acquire() -> [LevelChange<ID>] {
        let missing = wanted.filter { level(of: $0.id) == nil }
        guard !missing.isEmpty else { return [] }
        problems = [:]
        let list = system.nodes()
        return missing.compactMap { wanted in
            do throws(InputError) {
                return LevelChange(wanted.id, .found(try acquire(wanted, among: list)))
            } catch {
                problems[wanted.id] = error.advised(advice, of: "\(wanted.selector)")
                return nil
            }
        }
    }

    private func acquire(_ wanted: Wanted, among list: [InputNode]) throws(InputError) -> Bool {
        let code = try InputReader.code(of: wanted.selector)
        let (device, subject) = (wanted.selector.device, "\(wanted.selector)")
        let paths =
            device.hasPrefix("/") ? [system.realPath(device)] : list.filter { $0.name == device }.map(\.path)
        guard !paths.isEmpty else {
            throw InputError(.notFound, subject, "no input device has this name")
        }
        var candidates: [Node] = []
        var failure: InputError?
        for path in paths {
            do throws(InputError) {
                let node = try node(path)
                if node.input.has(code) { candidates.append(node) }
            } catch { failure = failure ?? error }
        }
        guard candidates.count < 2 else {
            throw InputError(
                .ambiguous, subject,
                "\(candidates.count) devices have this name: \(candidates.map(\.path).joined(separator: ", "))")
        }
        guard let node = candidates.first else {
            throw failure
                ?? InputError(
                    .noSuchCode, subject, "the device has no such \(code.isSwitch ? "switch" : "key")")
        }
        if wanted.selector.isGrabbed, !node.isGrabbed {
            try node.input.grab()
            node.isGrabbed = true
        }
        let level = node.input.level(of: code)
        node.held.append(Held(wanted: wanted, code: code, level: level))
        if !nodes.contains(where: { $0 === node }) { nodes.append(node) }
        return level
    }

    private static func code(of wanted: InputSelector) throws(InputError) -> InputCode {
        if let code = InputCode(wanted.code) { return code }
        throw InputError(.unknownCode, "\(wanted)", "there is no switch or key of this name")
    }

    private func node(_ path: String) throws(InputError) -> Node {
        if let open = nodes.first(where: { $0.path == path }) { return open }
        return Node(path, try system.open(path))
    }

    /// Returns the edges and losses since the last call, without waiting for more.
    ///
    /// When an input driver resumes, it reports the changes that occurred while the system was suspended.
    public func readChanges(readsLevels: Bool) -> [LevelChange<ID>] {
        var edges: [LevelChange<ID>] = []
        var losses: [LevelChange<ID>] = []
        for node in nodes {
            do throws(InputError) {
                for edge in try node.input.readEdges() {
                    for index in node.held.indices where node.held[index].code == edge.code {
                        // After a loss of events, the device may report a level that is already known.
                        guard node.held[index].level != edge.level else { continue }
                        node.held[index].level = edge.level
                        edges.append(LevelChange(node.held[index].wanted.id, .turned(edge.level), at: edge.time))
                    }
                }
            } catch {
                nodes.removeAll { $0 === node }
                for held in node.held {
                    let problem = error.advised(advice, of: "\(held.wanted.selector)")
                    problems[held.wanted.id] = problem
                    losses.append(LevelChange(held.wanted.id, .missing(problem.description)))
                }
            }
        }
        return edges.inOrderOfTime() + losses
    }
}
