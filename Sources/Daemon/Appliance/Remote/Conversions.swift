import AudioSession
import Glibc
import Playback
import Time

extension String {
    /// The path as a URL. A relative path starts at the working directory.
    var fileURL: String { Track(path: self).fileURL }
}

extension Track {
    /// The track's path as a URL. A relative path starts at the working directory.
    var fileURL: String {
        var path = pathBytes
        if path.first != UInt8(ascii: "/"), let folder = realpath(".", nil) {
            defer { free(folder) }
            path = Array(UnsafeRawBufferPointer(start: folder, count: strlen(folder))) + [UInt8(ascii: "/")] + path
        }
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        return "file://"
            + path.map { byte in
                if plain.contains(byte) { return String(UnicodeScalar(byte)) }
                let hex = String(byte, radix: 16, uppercase: true)
                return "%" + (hex.count < 2 ? "0" : "") + hex
            }.joined()
    }
}

extension Level {
    /// The level as a volume of MPRIS, which is a factor. 0 is silence, and 1 is full level.
    var amplitude: Double { self == .mute ? 0 : pow(10, decibels / 20) }

    /// Creates a level from a volume of MPRIS. Values outside 0…1 are clamped.
    init(amplitude: Double) {
        let decibels = amplitude <= 0 ? Level.mute.decibels : 20 * log10(min(amplitude, 1))
        self = Level(decibels: max(decibels, Level.mute.decibels)) ?? .full
    }
}
