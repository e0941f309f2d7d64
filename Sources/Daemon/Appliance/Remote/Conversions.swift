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
