import Glibc
import Systemd

extension BootID {
    /// The unit passes it on, as its `ProcSubset=pid` hides the kernel's own file. nil: unknown.
    static let service: String? = getenv("TACET_BOOT_ID").flatMap { parse(String(cString: $0)) } ?? kernel
}
