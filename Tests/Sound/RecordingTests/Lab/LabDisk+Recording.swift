import DiskLab

extension LabDisk {
    /// An empty disk that promises whole sectors.
    static func forRecordings(seed: UInt64 = 1) -> LabDisk {
        let disk = LabDisk(seed: seed, folders: ["/"])
        disk.tearsSectors = false
        return disk
    }
}
