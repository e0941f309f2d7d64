import DiskLab

extension LabDisk {
    /// Returns an empty disk that guarantees whole sectors.
    static func forRecordings(seed: UInt64 = 1) -> LabDisk {
        let disk = LabDisk(seed: seed, folders: ["/"])
        disk.tearsSectors = false
        return disk
    }
}
