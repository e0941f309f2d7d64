import Files
import Glibc

/// An input device in the kernel's list, whether or not this process can open it.
public struct InputNode: Hashable, Sendable {
    /// The path, such as `/dev/input/event3`.
    public let path: String
    /// The name, such as `Lid Switch`.
    public let name: String

    public init(path: String, name: String) {
        self.path = path
        self.name = name
    }
}

/// The kernel functions that a reader needs. Tests replace them.
public protocol InputSystem {
    /// Returns the devices, in order of their numbers.
    func nodes() -> [InputNode]
    /// Resolves the links in a path, because /dev/input/by-path contains links.
    func realPath(_ path: String) -> String
    func open(_ path: String) throws(InputError) -> any HeldInput
}

/// The running kernel.
public struct InputKernel: InputSystem {
    public init() {}

    public func nodes() -> [InputNode] {
        // The list in /sys contains the names, and any user can read it.
        let names = (try? Folder.names(in: "/sys/class/input")) ?? []
        let numbers = names.compactMap { $0.hasPrefix("event") ? Int($0.dropFirst("event".count)) : nil }
        return numbers.sorted().map { number in
            let name = OpenFile.firstLine(of: "/sys/class/input/event\(number)/device/name")
            return InputNode(path: "/dev/input/event\(number)", name: name ?? "")
        }
    }

    public func realPath(_ path: String) -> String { Folder.realPath(path) }

    public func open(_ path: String) throws(InputError) -> any HeldInput { try InputDevice(path) }
}
