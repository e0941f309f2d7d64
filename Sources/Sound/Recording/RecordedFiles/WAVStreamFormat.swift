/// Encodes a WAV file that grows while it is recorded. Beyond 4 GiB, the header is replaced with that of an RF64 file
/// (EBU Tech 3306), for which there is room from the start.
enum WAVStreamFormat {
    /// Encodes frames as the file contains them.
    /// - Parameter samples: interleaved samples in the lower bits.
    static func encode(_ samples: UnsafePointer<Int32>, frames: Int, _ format: RecordedFormat) -> [UInt8] {
        let count = frames * format.stream.channels
        let width = format.bits / 8
        return [UInt8](unsafeUninitializedCapacity: count * width) { bytes, length in
            for index in 0..<count {
                let sample = samples[index]
                for byte in 0..<width { bytes[width * index + byte] = UInt8(truncatingIfNeeded: sample >> (8 * byte)) }
            }
            length = count * width
        }
    }

    /// Returns everything before the first frame.
    /// - Parameters:
    ///   - data: the number of bytes of all frames.
    ///   - tags: the tags, with their RIFF names and their values.
    static func head(_ format: RecordedFormat, data: Int, tags: [(String, String)], length: Int) -> [UInt8] {
        let (rate, channels, width) = (format.stream.rate, format.stream.channels, format.bits / 8)
        // A chunk has an even number of bytes.
        let whole = length - 8 + data + data % 2
        let isLarge = whole > Int(UInt32.max)
        var bytes = chunk(isLarge ? "RF64" : "RIFF", isLarge ? Int(UInt32.max) : whole) + Array("WAVE".utf8)
        bytes += chunk(isLarge ? "ds64" : "JUNK", 28)
        bytes +=
            isLarge
            ? little(whole, 8) + little(data, 8) + little(data / (channels * width), 8) + little(0, 4)
            : [UInt8](repeating: 0, count: 28)
        let isExtensible = channels > 2 || width > 2
        bytes += chunk("fmt ", isExtensible ? 40 : 16) + little(isExtensible ? 0xfffe : 1, 2) + little(channels, 2)
        bytes += little(rate, 4) + little(rate * channels * width, 4) + little(channels * width, 2)
        bytes += little(format.bits, 2)
        if isExtensible {
            // Do not assign loudspeakers if there are more than two channels. The sub-format is PCM.
            bytes += little(22, 2) + little(format.bits, 2) + little(channels == 1 ? 4 : channels == 2 ? 3 : 0, 4)
            bytes += [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
        }
        var list = Array("INFO".utf8)
        for (name, value) in tags {
            let text = Array(value.utf8) + [0]
            list += chunk(name, text.count) + text + [UInt8](repeating: 0, count: text.count % 2)
        }
        bytes += chunk("LIST", list.count) + list
        let padding = length - bytes.count - 16
        bytes += chunk("JUNK", padding) + [UInt8](repeating: 0, count: padding)
        return bytes + chunk("data", isLarge ? Int(UInt32.max) : data)
    }

    private static func chunk(_ name: String, _ length: Int) -> [UInt8] { Array(name.utf8) + little(length, 4) }
    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
