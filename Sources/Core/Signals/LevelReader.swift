/// A level change from any kind of source.
public struct LevelChange<ID: Hashable & Sendable>: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// The level has changed.
        case turned(Bool)
        /// The source has been found, with this level.
        case found(Bool)
        /// The level is unknown, for this reason.
        case missing(String)
    }

    public let id: ID
    public let state: State
    /// The time of the change on CLOCK_MONOTONIC, or nil for the current time. If the kernel reported the change, this
    /// is the time of its event.
    public let time: Duration?
    /// True if the edge was lost, and only its level was read.
    public let isRepaired: Bool

    public init(_ id: ID, _ state: State, at time: Duration? = nil, isRepaired: Bool = false) {
        self.id = id
        self.state = state
        self.time = time
        self.isRepaired = isRepaired
    }
}

extension Array {
    /// Returns the changes in order of time. Changes with the same time keep their order.
    public func inOrderOfTime<ID>() -> [LevelChange<ID>] where Element == LevelChange<ID> {
        enumerated().sorted { ($0.element.time ?? .zero, $0.offset) < ($1.element.time ?? .zero, $1.offset) }
            .map(\.element)
    }
}

/// Reads levels of things that can disappear and return, such as lines, switches, jacks and calls. Only one thread may
/// use a reader, and no call blocks.
///
/// The owner polls `descriptors`, and calls `readChanges` when one of them is ready. A reader that follows other
/// programs has no descriptors. In that case, the owner calls `readChanges` when the reader calls `onNews`. While a
/// source is missing, the owner calls `acquire` whenever a device appears, and also from time to time, because a new
/// device gets its permissions slightly later than its node.
///
/// A level is true if it is high, on, plugged in or asserted.
public protocol LevelReader<ID>: AnyObject {
    associatedtype ID: Hashable & Sendable
    /// The descriptors to poll. They change with `acquire` and with losses.
    var descriptors: [Int32] { get }
    /// Called when there may be changes to read.
    var onNews: () -> Void { get set }
    /// True if `acquire` could find a source that is missing.
    var isIncomplete: Bool { get }
    /// Returns the level that was last reported, or nil while it is missing.
    func level(of id: ID) -> Bool?
    /// Describes the source of the level, or returns nil if the level is missing or if the configuration already
    /// describes it completely.
    func place(of id: ID) -> String?
    /// Describes why the level is missing, or returns nil if it is not.
    func problem(of id: ID) -> String?
    /// Looks for the sources that are missing.
    /// - Returns: the levels that have been found. Changes that are read afterwards are newer than these levels.
    func acquire() -> [LevelChange<ID>]
    /// Returns the level changes since the last call, in order of time, and then the losses.
    /// - Parameter readsLevels: true to read the levels themselves as well, because changes may be missing. The kernel
    ///   does not record changes while the system is suspended.
    func readChanges(readsLevels: Bool) -> [LevelChange<ID>]
    /// Reads the levels again, because a change may have been lost.
    /// - Returns: the changes since the last call, in order of time, and then the losses.
    func reread() -> [LevelChange<ID>]
    /// True if `reread` should be called again soon, because a level has changed whose change has not arrived yet.
    var isSuspicious: Bool { get }
    /// Closes everything, so that a successor can acquire it. Afterwards, the reader reports nothing.
    func release()
}

extension LevelReader {
    // A reader with descriptors does not call this.
    public var onNews: () -> Void {
        get { {} }
        set {}
    }

    // A source that is not a line reports every change.
    public func reread() -> [LevelChange<ID>] { [] }
    public var isSuspicious: Bool { false }

    public func readChanges() -> [LevelChange<ID>] { readChanges(readsLevels: false) }
}
