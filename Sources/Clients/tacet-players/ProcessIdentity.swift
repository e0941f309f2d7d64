import Files
import Glibc
import Players
import Systemd

extension PlayerIdentity {
    /// Identifies a process on this machine.
    /// - Parameter connection: the unique name of its connection to the bus, or an empty text.
    init(process: pid_t, connection: String) {
        let boot = BootID.kernel ?? ""
        self = .process(connection: connection, number: process, started: "\(boot) \(Self.startTime(of: process))")
    }

    /// Returns the time since the boot at which a process has started, as the kernel writes it, or an empty text if it
    /// is unknown. Another process with the same number has another time.
    private static func startTime(of process: pid_t) -> String {
        guard let line = OpenFile.firstLine(of: "/proc/\(process)/stat"), let end = line.lastIndex(of: ")") else {
            return ""
        }
        // The name of the program, which can contain blanks, is followed by the third field. The time is the 22nd.
        let fields = line[line.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? String(fields[19]) : ""
    }
}
