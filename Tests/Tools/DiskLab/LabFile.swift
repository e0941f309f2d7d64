import Chance

/// The bytes of a file, both as processes see them and as they are on the disk.
final class LabFile {
    var live: [UInt8] = []
    private var durable: [UInt8] = []
    /// The contents of each sector after each write since the last sync.
    private var pending: [Int: [[UInt8]]] = [:]

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard !bytes.isEmpty else { return }
        grow(to: offset + bytes.count)
        for (index, byte) in bytes.enumerated() { live[offset + index] = byte }
        for sector in offset / LabDisk.sector...(offset + bytes.count - 1) / LabDisk.sector {
            pending[sector, default: []].append(Array(live[range(sector, live.count)]))
        }
    }

    func grow(to length: Int) {
        if live.count < length { live += [UInt8](repeating: 0, count: length - live.count) }
    }

    func shorten(to length: Int) {
        if live.count > length { live.removeLast(live.count - length) }
    }

    /// Writes the sectors that are marked dirty. Sectors that a failed sync has left out are no longer dirty, so they
    /// remain lost.
    func sync() {
        if live.count < durable.count { durable.removeLast(durable.count - live.count) }
        durable += [UInt8](repeating: 0, count: live.count - durable.count)
        for sector in pending.keys {
            let range = range(sector, live.count)
            durable.replaceSubrange(range, with: live[range])
        }
        pending = [:]
    }

    /// Gives the file these bytes, as if they had been on the disk for a long time.
    func restore(_ bytes: [UInt8]) {
        live = bytes
        durable = bytes
        pending = [:]
    }

    /// Simulates a failed sync. Some sectors reach the disk, and the others are marked clean without being on the disk.
    func syncInVain(_ random: inout SplitMix, tears: Bool) {
        settle(&random, tears)
        pending = [:]
    }

    func loseUnsynced(_ random: inout SplitMix, tears: Bool) {
        settle(&random, tears)
        pending = [:]
        live = durable
    }

    private func settle(_ random: inout SplitMix, _ tears: Bool) {
        if live.count < durable.count, Bool.random(using: &random) { durable.removeLast(durable.count - live.count) }
        if live.count > durable.count {
            let length =
                [durable.count, live.count, Int.random(in: durable.count...live.count, using: &random)]
                .randomElement(using: &random) ?? live.count
            durable += [UInt8](repeating: 0, count: length - durable.count)
        }
        // The disk has written no sector (0), all sectors (1), or some of them (2, 3).
        let progress = Int.random(in: 0..<4, using: &random)
        for sector in pending.keys.sorted() {
            guard let versions = pending[sector], progress > 0, progress == 1 || Bool.random(using: &random),
                var version = progress == 1 ? versions.last : versions.randomElement(using: &random)
            else { continue }
            let range = range(sector, durable.count)
            // Occasionally, a sector itself is torn.
            if tears, Int.random(in: 0..<16, using: &random) == 0 {
                let torn = Int.random(in: 0...version.count, using: &random)
                version = Array(version[..<torn]) + Array(durable[range].dropFirst(torn))
            }
            for (index, byte) in zip(range, version) { durable[index] = byte }
        }
    }

    private func range(_ sector: Int, _ length: Int) -> Range<Int> {
        min(sector * LabDisk.sector, length)..<min((sector + 1) * LabDisk.sector, length)
    }
}
