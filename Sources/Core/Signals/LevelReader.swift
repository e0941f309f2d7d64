/// A change of a level, from whatever source.
public struct LevelChange<ID: Hashable & Sendable>: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// An edge.
        case turned(Bool)
        /// The source has been found, with this level.
        case found(Bool)
        /// The level is unknown, for this reason.
        case missing(String)
    }

    public let id: ID
    public let state: State
    /// On CLOCK_MONOTONIC: of the kernel's event, if it has one; nil: now.
    public let time: Duration?

    public init(_ id: ID, _ state: State, at time: Duration? = nil) {
        self.id = id
        self.state = state
        self.time = time
    }
}

extension Array {
    /// In order of time. Changes of the same time keep their order.
    public func inOrderOfTime<ID>() -> [LevelChange<ID>] where Element == LevelChange<ID> {
        enumerated().sorted { ($0.element.time ?? .zero, $0.offset) < ($1.element.time ?? .zero, $1.offset) }
            .map(\.element)
    }
}

/// Reads levels of things that can disappear and return: lines, switches, jacks, calls. For one thread; no call blocks.
///
/// The owner polls `descriptors`, and calls `readChanges` when one of them is ready; or, if a reader has none because it
/// follows other programs, when the reader calls `onNews`. While something is missing, it calls
/// `acquire` whenever a device appears, and from time to time besides, because a new device gets its permissions slightly
/// later than its node.
///
/// A level is true if it is high, on, plugged in or asserted.
public protocol LevelReader<ID>: AnyObject {
    associatedtype ID: Hashable & Sendable
    /// To be polled. They change with `acquire` and with losses.
    var descriptors: [Int32] { get }
    /// Called when there can be changes to read.
    var onNews: () -> Void { get set }
    /// Whether something is missing that `acquire` could find.
    var isIncomplete: Bool { get }
    /// As last reported; nil while it is missing.
    func level(of id: ID) -> Bool?
    /// Where the level comes from, for people; nil if it is missing, or there is no more to say than is configured.
    func place(of id: ID) -> String?
    /// Why the level is missing; nil if it is not.
    func problem(of id: ID) -> String?
    /// Looks for what is missing.
    /// - Returns: what has been found. Edges that are read afterwards are newer than these levels.
    func acquire() -> [LevelChange<ID>]
    /// Returns the edges since the last call, in order of time, and then the losses.
    /// - Parameter readsLevels: whether to read the levels themselves, too, because edges can be missing: the kernel
    ///   records none while the system is suspended.
    func readChanges(readsLevels: Bool) -> [LevelChange<ID>]
    /// Closes everything, so that a successor can acquire it. It reports nothing any more.
    func release()
}

extension LevelReader {
    // A reader with descriptors has no news of its own.
    public var onNews: () -> Void {
        get { {} }
        set {}
    }

    public func readChanges() -> [LevelChange<ID>] { readChanges(readsLevels: false) }
}
