import CRealTime

/// The file systems in which the kernel exposes its own state. They do not contain music, but they contain links to
/// other folders.
enum KernelFileSystem {
    /// The magic numbers of proc, sysfs, cgroup 1 and 2, debugfs, tracefs, configfs, securityfs, devpts, bpf, pstore,
    /// mqueue, hugetlbfs, selinuxfs and nsfs (linux/magic.h).
    private static let kinds: Set<Int> = [
        0x9fa0, 0x6265_6572, 0x27_e0eb, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x6265_6570, 0x7363_6673, 0x1cd1,
        0xcafe_4a11, 0x6165_676c, 0x1980_0202, 0x9584_58f6, 0xf97c_ff8c, 0x6e73_6673,
    ]

    static func contains(_ folder: Track) -> Bool {
        kinds.contains(folder.withPath { realtime_file_system($0) })
    }
}
