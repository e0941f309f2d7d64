import CRealTime
import Files
import Glibc

/// The bytes of a file in memory. A decoder can read them even if the file has been deleted or its storage is lost.
final class FileContent: Sendable, Hashable {
    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a regular file. The call blocks on the storage.
    /// - Parameter limit: the maximum number of bytes that the file may have.
    static func read(_ file: Track, limit: Int) throws(DecoderError) -> FileContent {
        let (descriptor, size) = try Decoder.openRegular(file)
        let open = OpenFile(owning: descriptor, file.path)
        guard size > 0 else {
            throw DecoderError(.noAudio, "open", file.path, message: "the file is empty (0 bytes)")
        }
        guard size <= limit else { throw tooLarge(file, limit) }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try open.readAll(limit: limit) } catch {
            throw DecoderError(.cannotOpen, "read", file.path, message: error.words)
        }
        // The file may have grown in the meantime.
        guard bytes.count <= limit else { throw tooLarge(file, limit) }
        return FileContent(bytes)
    }

    private static func tooLarge(_ file: Track, _ limit: Int) -> DecoderError {
        DecoderError(
            .unsupported, "use", file.path, message: "it has more than \(limit) bytes",
            advice: "encode it as Opus, or configure a sound with it")
    }

    /// Opens a new descriptor at the first byte. The caller must close it.
    func open(for file: Track) throws(DecoderError) -> (descriptor: Int32, bytes: Int) {
        (try Self.memory(with: bytes[...], for: file), bytes.count)
    }

    private static func memory(with bytes: ArraySlice<UInt8>, for file: Track) throws(DecoderError) -> Int32 {
        let descriptor = realtime_memory_file("clip")
        guard descriptor >= 0 else { throw .opening(file, errno) }
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                let code = count == 0 ? ENOSPC : errno
                close(descriptor)
                throw .opening(file, code)
            }
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    static func == (one: FileContent, other: FileContent) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
