import DiskLab

extension LabDisk {
    /// Returns an empty disk that never leaves a sector half written.
    static func forRecordings(seed: UInt64 = 1) -> LabDisk {
        let disk = LabDisk(seed: seed, folders: ["/"])
        disk.tearsSectors = false
        return disk
    }
}
