import Glibc
import Systemd

/// Tells when something appears in a folder, or its permissions change.
final class FolderWatch {
    private let descriptor: Int32
    private var source: EventSource?

    /// - Returns: nil where the system has no more of them.
    init?(_ folder: String, in loop: EventLoop, _ action: @escaping () -> Void) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        // `deinit` runs even so.
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_ATTRIB)) >= 0 else {
            return nil
        }
        let descriptor = descriptor
        source = try? loop.whenReadable(descriptor) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &bytes, bytes.count) > 0 {}
            action()
        }
    }

    deinit {
        source = nil
        if descriptor >= 0 { close(descriptor) }
    }
}
