/// The error in the size that a container's header specifies for the samples, after the writer or a copy was
/// interrupted. This type is pure.
struct SampleOutline {
    /// The correct size, which replaces the size in the file, or nil if libsndfile can read the file unchanged.
    var patch: FileInput.Patch?
    /// The number of bytes of samples that the file should have beyond its end, or 0 if this number is unknown.
    var missing = 0
}

extension SampleOutline {
    /// - Parameters:
    ///   - chunk: the chunk of the samples, or nil if it was not found.
    ///   - size: the size of the file in bytes.
    init(of chunk: Chunk?, size: Int) {
        missing = chunk.map { Self.missing($0.size, of: size - $0.content) } ?? 0
    }

    /// Returns the number of declared bytes that are missing, or 0 if the number is not valid. If the size only
    /// includes the header, as with some writers, nothing is missing.
    static func missing(_ declared: Int, of rest: Int) -> Int {
        isUnknown(declared) || declared - rest <= 512 ? 0 : declared - rest
    }

    /// Returns a clause that states how many bytes are missing, or nil if no bytes are missing.
    static func loss(_ missing: Int) -> String? { missing > 0 ? "\(missing) bytes of it are missing" : nil }

    /// Returns true if a size indicates that the writer did not know it, because it wrote to a stream. Such a size is 0
    /// or close to the largest possible number. Some writers use a signed number, and some leave room for the header.
    private static func isUnknown(_ size: Int) -> Bool {
        let room = 0x1_0000
        let mosts = [Int(UInt32.max), Int(Int32.max) + 1]
        return size == 0 || size > 1 << 47 || mosts.contains { ($0 - room...$0).contains(size) }
    }
}
