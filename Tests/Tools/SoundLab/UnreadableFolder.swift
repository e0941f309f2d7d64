import Glibc

/// Nested folders whose paths become longer than the system allows, so that not even root can read the last one. They
/// are removed when this object is deallocated.
public final class UnreadableFolder {
    private static let name = String(repeating: "x", count: 250)
    private var descriptors: [Int32]

    /// - Parameter folder: The folder in which to create them.
    public init(in folder: String) {
        descriptors = [open(folder, O_RDONLY | O_CLOEXEC)]
        // 17 names of 250 bytes exceed the limit of 4096 bytes for a path.
        for _ in 0..<17 {
            let parent = descriptors[descriptors.count - 1]
            mkdirat(parent, Self.name, 0o755)
            descriptors.append(openat(parent, Self.name, O_RDONLY | O_CLOEXEC))
        }
    }

    deinit {
        for descriptor in descriptors.reversed() {
            unlinkat(descriptor, Self.name, AT_REMOVEDIR)
            close(descriptor)
        }
    }
}
